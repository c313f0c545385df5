import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { extract, type Extract } from 'tar-stream'
import type { CollectedFiles } from './collected-file.js'

interface CollectLimits {
  readonly maxFiles: number
  readonly maxBytes: number
}

export interface Collected {
  readonly files: { readonly name: string; readonly data: Uint8Array }[]
  /** Regular files that were not collected. */
  left: number
}

/** A file of an archive: its header, and its bytes to read. */
type TarEntry = Extract extends AsyncIterable<infer E> ? E : never

const LONGEST_NAME = 4096

/**
 * Extracts only regular files from a tar stream: no links, devices or folders. The stream comes from a sandbox and is untrusted: names,
 * sizes and counts are checked, and damage ends the reading.
 */
export class TarReader {
  readonly collected: Collected = { files: [], left: 0 }
  readonly #limits: CollectLimits
  readonly #known: ReadonlyMap<string, Uint8Array>
  readonly #files: CollectedFiles | null
  readonly #extract = extract({})
  readonly #read: Promise<void>
  #bytes = 0
  #taken = 0
  #over = false
  #failure: { readonly error: unknown } | null = null

  /** `known` are the input files, which are collected only if they were changed. With `files` the collected files are written there. */
  constructor(limits: CollectLimits, known: ReadonlyMap<string, Uint8Array>, files: CollectedFiles | null = null) {
    this.#limits = limits
    this.#known = known
    this.#files = files
    this.#read = this.#readEntries()
    // `write` and `end` report it.
    this.#read.catch(() => undefined)
  }

  /** Writes the next piece of the stream; if it returns a promise, wait for it before writing again. It rejects when `files` does. */
  write(chunk: Buffer): void | Promise<void> {
    if (this.#over || this.#extract.write(chunk)) return
    return Promise.race([once(this.#extract, 'drain').then(() => undefined), this.#read])
  }

  /** Resolves when all written bytes are read; an incomplete file is discarded. Rejects when `files` does. */
  async end(): Promise<void> {
    if (!this.#over) this.#extract.end(null)
    await this.#read
  }

  async #readEntries(): Promise<void> {
    try {
      for await (const entry of this.#extract) await this.#take(entry)
    } catch {
      // Anything else is damage of the archive.
      if (this.#failure !== null) throw this.#failure.error
    } finally {
      this.#over = true
    }
  }

  async #take(entry: TarEntry): Promise<void> {
    const { type, size } = entry.header
    const name = entry.header.name.replace(/^\.\//, '')
    const input = this.#known.get(name)
    const maybeInput = input?.length === size
    const plain = name.length <= LONGEST_NAME && isPlainName(name)
    if (type !== 'file' || !plain || !(maybeInput || this.#fits(size))) {
      if (type === 'file') this.collected.left += 1
      entry.resume()
    } else if (this.#files === null || maybeInput) {
      const data = await buffer(bytesOf(entry))
      if (input === undefined || !data.equals(input)) await this.#keep(name, data)
    } else await this.#store(this.#files, { name, size }, bytesOf(entry))
  }

  #fits(size: number): boolean {
    return this.#taken < this.#limits.maxFiles && this.#bytes + size <= this.#limits.maxBytes
  }

  #count(size: number): void {
    this.#taken += 1
    this.#bytes += size
  }

  async #keep(name: string, data: Buffer): Promise<void> {
    if (!this.#fits(data.length)) {
      this.collected.left += 1
      return
    }
    if (this.#files !== null) return await this.#store(this.#files, { name, size: data.length }, [data])
    this.#count(data.length)
    this.collected.files.push({ name, data })
  }

  async #store(
    files: CollectedFiles,
    { name, size }: { readonly name: string; readonly size: number },
    pieces: AsyncIterable<Buffer> | readonly Buffer[],
  ): Promise<void> {
    this.#count(size)
    const file = files.open(name)
    try {
      for await (const piece of pieces) await this.#orFail(file.write(piece))
    } catch (error) {
      file.abandon()
      throw error
    }
    await this.#orFail(file.end())
  }

  /** Distinguishes failures outside the archive from damage of the archive. */
  async #orFail(work: Promise<void> | undefined): Promise<void> {
    try {
      await work
    } catch (error) {
      this.#failure ??= { error }
      throw error
    }
  }
}

async function* bytesOf(entry: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  for await (const piece of entry) {
    if (!Buffer.isBuffer(piece)) throw new TypeError('a file of an archive is read as bytes')
    yield piece
  }
}

/** True for a harmless relative path: no `..`, empty or hidden parts, control characters or parts over 255 bytes. */
export function isPlainName(name: string): boolean {
  return name.split('/').every((part) => /^[^.]/.test(part) && !/[\p{Cc}\\\uFFFD]/u.test(part) && Buffer.byteLength(part) <= 255)
}
