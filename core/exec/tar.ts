import type { CollectedFile, CollectedFiles } from './collected-file.js'

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
  /** Null when the data is dropped, or goes to a file. */
  readonly parts: Buffer[] | null
  readonly file: CollectedFile | null
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
  readonly #files: CollectedFiles | null
  #buffer: Buffer = Buffer.alloc(0)
  #bytes = 0
  #taken = 0
  #longName: string | null = null
  #entry: Entry | null = null
  #over = false

  /** `known` are the files given in: they are collected only when they were changed. With `files` what is collected goes there. */
  constructor(limits: CollectLimits, known: ReadonlyMap<string, Uint8Array>, files: CollectedFiles | null = null) {
    this.#limits = limits
    this.#known = known
    this.#files = files
  }

  /** Takes the next piece of the stream. The one after may come once a promise that is given is settled; it rejects when `files` does. */
  write(chunk: Buffer): void | Promise<void> {
    if (this.#over) return
    this.#buffer = this.#buffer.length === 0 ? chunk : Buffer.concat([this.#buffer, chunk])
    return this.#read()
  }

  /** Gives up the file whose rest does not come. */
  abandon(): void {
    this.#entry?.file?.abandon()
  }

  #read(): void | Promise<void> {
    while (!this.#over) {
      const more = this.#entry === null ? this.#readHeader() : this.#readEntry(this.#entry)
      if (more instanceof Promise) return more.then((goesOn) => (goesOn ? this.#read() : undefined))
      if (!more) return
    }
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
      this.#entry = { name, kind: 'long-name', parts: [], file: null, dataLeft: size, paddingLeft: padding }
      return true
    }
    this.#longName = null
    const isFile = type === '0' || type === '\0'
    const place = isFile ? this.#place(name, size) : null
    const inMemory = this.#files === null || this.#isInput(name, size)
    this.#entry = {
      name,
      kind: isFile ? 'file' : 'other',
      parts: place !== null && inMemory ? place : null,
      file: place !== null && !inMemory ? (this.#files?.open(name) ?? null) : null,
      dataLeft: size,
      paddingLeft: padding,
    }
    return true
  }

  /** Where the data of a file goes; null and counted when it is not taken. */
  #place(name: string, size: number): Buffer[] | null {
    if (isPlainName(name) && (this.#fits(size) || this.#isInput(name, size))) {
      if (this.#files !== null && !this.#isInput(name, size)) this.#count(size)
      return []
    }
    this.collected.left += 1
    return null
  }

  #isInput(name: string, size: number): boolean {
    return this.#known.get(name)?.length === size
  }

  #fits(size: number): boolean {
    return this.#taken < this.#limits.maxFiles && this.#bytes + size <= this.#limits.maxBytes
  }

  #count(size: number): void {
    this.#taken += 1
    this.#bytes += size
  }

  #readEntry(entry: Entry): boolean | Promise<boolean> {
    const data = this.#buffer.subarray(0, entry.dataLeft)
    if (data.length > 0) entry.parts?.push(Buffer.from(data))
    const written = data.length > 0 ? entry.file?.write(data) : undefined
    entry.dataLeft -= data.length
    const padding = Math.min(entry.paddingLeft, this.#buffer.length - data.length)
    entry.paddingLeft -= padding
    this.#buffer = this.#buffer.subarray(data.length + padding)
    if (entry.dataLeft + entry.paddingLeft > 0) return written === undefined ? false : written.then(() => false)
    this.#entry = null
    const ended = this.#finish(entry)
    return ended === undefined ? true : ended.then(() => true)
  }

  #finish({ kind, name, parts, file }: Entry): void | Promise<void> {
    if (file !== null) return file.end()
    if (parts === null) return
    const data = Buffer.concat(parts)
    if (kind === 'long-name') this.#longName = text(data, 0, data.length)
    else if (this.#known.get(name) === undefined || !data.equals(this.#known.get(name) ?? data)) return this.#keep(name, data)
  }

  #keep(name: string, data: Buffer): void | Promise<void> {
    if (!this.#fits(data.length)) {
      this.collected.left += 1
      return
    }
    this.#count(data.length)
    if (this.#files === null) return void this.collected.files.push({ name, data })
    const file = this.#files.open(name)
    void file.write(data)
    return file.end()
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
