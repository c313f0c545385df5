export interface CollectLimits {
  readonly maxFiles: number
  readonly maxBytes: number
}

export interface Collected {
  readonly files: { readonly name: string; readonly data: Uint8Array }[]
  /** Regular files that were seen and not taken. */
  left: number
}

interface Entry {
  readonly name: string
  readonly kind: 'file' | 'long-name' | 'other'
  /** Null when the data is dropped. */
  readonly parts: Buffer[] | null
  dataLeft: number
  paddingLeft: number
}

const BLOCK = 512
const LONG_NAME_MAX = 4096

/**
 * Takes regular files out of a GNU tar stream (ustar header, GNU `L` long names) and nothing else: no links, devices, folders.
 * The stream comes out of a sandbox and is not believed: names, sizes and counts are checked, damage ends the reading.
 */
export class TarReader {
  readonly collected: Collected = { files: [], left: 0 }
  readonly #limits: CollectLimits
  readonly #known: ReadonlyMap<string, Uint8Array>
  #buffer: Buffer = Buffer.alloc(0)
  #bytes = 0
  #longName: string | null = null
  #entry: Entry | null = null
  #over = false

  /** `known` are the files given in: they are collected only when they were changed. */
  constructor(limits: CollectLimits, known: ReadonlyMap<string, Uint8Array>) {
    this.#limits = limits
    this.#known = known
  }

  /** Takes the next piece of the stream. */
  write(chunk: Buffer): void {
    if (this.#over) return
    this.#buffer = this.#buffer.length === 0 ? chunk : Buffer.concat([this.#buffer, chunk])
    while (!this.#over && (this.#entry === null ? this.#readHeader() : this.#readEntry(this.#entry)));
  }

  #readHeader(): boolean {
    if (this.#buffer.length < BLOCK) return false
    const header = this.#buffer.subarray(0, BLOCK)
    this.#buffer = this.#buffer.subarray(BLOCK)
    const size = /^[0-7]{1,11}$/.test(text(header, 124, 12)) ? Number.parseInt(text(header, 124, 12), 8) : -1
    if (text(header, 257, 5) !== 'ustar' || size < 0) {
      this.#over = true
      return false
    }
    const type = String.fromCharCode(header[156] ?? 0)
    const name = (this.#longName ?? text(header, 0, 100)).replace(/^\.\//, '')
    const padding = (BLOCK - (size % BLOCK)) % BLOCK
    if (type === 'L') {
      this.#over = size > LONG_NAME_MAX
      this.#entry = { name, kind: 'long-name', parts: [], dataLeft: size, paddingLeft: padding }
      return true
    }
    this.#longName = null
    const file = type === '0' || type === '\0'
    this.#entry = {
      name,
      kind: file ? 'file' : 'other',
      parts: file ? this.#place(name, size) : null,
      dataLeft: size,
      paddingLeft: padding,
    }
    return true
  }

  /** Where the data of a file goes; null and counted when it is not taken. */
  #place(name: string, size: number): Buffer[] | null {
    const input = this.#known.get(name)?.length === size
    const fits = this.collected.files.length < this.#limits.maxFiles && this.#bytes + size <= this.#limits.maxBytes
    if (isPlainName(name) && (fits || input)) return []
    this.collected.left += 1
    return null
  }

  #readEntry(entry: Entry): boolean {
    const data = this.#buffer.subarray(0, entry.dataLeft)
    if (data.length > 0) entry.parts?.push(Buffer.from(data))
    entry.dataLeft -= data.length
    const padding = Math.min(entry.paddingLeft, this.#buffer.length - data.length)
    entry.paddingLeft -= padding
    this.#buffer = this.#buffer.subarray(data.length + padding)
    if (entry.dataLeft + entry.paddingLeft > 0) return false
    this.#entry = null
    this.#finish(entry)
    return true
  }

  #finish({ kind, name, parts }: Entry): void {
    if (parts === null) return
    const data = Buffer.concat(parts)
    if (kind === 'long-name') this.#longName = text(data, 0, data.length)
    else if (this.#known.get(name) === undefined || !data.equals(this.#known.get(name) ?? data)) this.#keep(name, data)
  }

  #keep(name: string, data: Buffer): void {
    if (this.collected.files.length >= this.#limits.maxFiles || this.#bytes + data.length > this.#limits.maxBytes) {
      this.collected.left += 1
      return
    }
    this.#bytes += data.length
    this.collected.files.push({ name, data })
  }
}

/** True for a relative path without tricks: no `..`, empty or hidden parts, no control characters, at most 255 bytes a part. */
export function isPlainName(name: string): boolean {
  return name.split('/').every((part) => /^[^.]/.test(part) && !/[\p{Cc}\\\uFFFD]/u.test(part) && Buffer.byteLength(part) <= 255)
}

function text(bytes: Buffer, from: number, length: number): string {
  const field = bytes.subarray(from, from + length)
  const end = field.indexOf(0)
  return field
    .subarray(0, end < 0 ? length : end)
    .toString('utf8')
    .trim()
}
