import type { Readable } from 'node:stream'
import type { ScratchFile } from '../sdk/index.js'
import { CollectedFile } from './collected-file.js'
import { MAX_ANSWER } from './parse-answer.js'
import type { ProgramFiles } from './types.js'

const HEAD_BYTES = 4

/** The destination of the bytes after an answer, and the callback when they cannot be written. */
interface FileTarget {
  readonly callFiles: ProgramFiles
  readonly maxBytes: number | undefined
  readonly onFailure: () => void
}

/** Reads the untrusted output of a parser process: the length of its answer, the answer, and the bytes of a file. */
export class ParseOutput {
  readonly #stdout: Readable
  readonly #onFlood: () => void
  #parts: Buffer[] = []
  #size = 0
  /** Offset of the answer's end; infinite until its length is known. */
  #end = Infinity
  #target: FileTarget | null = null
  #file: CollectedFile | null = null
  #made: ScratchFile | null = null
  #failure: { readonly error: unknown } | null = null

  /** Calls back for an answer longer than MAX_ANSWER, and for bytes after it that were not requested. */
  constructor(stdout: Readable, onFlood: () => void) {
    this.#stdout = stdout
    this.#onFlood = onFlood
    stdout.on('data', (chunk: Buffer) => this.#take(chunk))
  }

  /** Stores the bytes after the answer in a file. */
  storeIn(target: FileTarget): void {
    this.#target = target
  }

  /** The JSON of the answer received so far. */
  answer(): Buffer {
    return Buffer.concat(this.#parts).subarray(HEAD_BYTES)
  }

  /** The file; null when there were no bytes. Rejects with the error of writing it. */
  async file(): Promise<ScratchFile | null> {
    if (this.#failure !== null) throw this.#failure.error
    await this.#file?.end()
    return this.#made
  }

  /** Discards the file. */
  abandon(): void {
    this.#file?.abandon()
  }

  /** The error of writing the file, else null. */
  get failure(): { readonly error: unknown } | null {
    return this.#failure
  }

  #take(chunk: Buffer): void {
    const known = this.#end !== Infinity
    const kept = Buffer.from(chunk.subarray(0, this.#end - this.#size))
    this.#parts.push(kept)
    this.#size += kept.length
    if (known) return this.#toFile(chunk.subarray(kept.length))
    if (this.#size < HEAD_BYTES) return
    const all = Buffer.concat(this.#parts)
    const length = all.readUInt32LE(0)
    if (length > MAX_ANSWER) return this.#onFlood()
    this.#end = HEAD_BYTES + length
    this.#parts = [all.subarray(0, this.#end)]
    this.#size = Math.min(all.length, this.#end)
    this.#toFile(all.subarray(this.#end))
  }

  #toFile(bytes: Buffer): void {
    if (bytes.length === 0 || this.#failure !== null) return
    if (this.#target === null) return this.#onFlood()
    const { callFiles, maxBytes } = this.#target
    this.#file ??= new CollectedFile(callFiles, (file) => (this.#made = file), maxBytes)
    const written = this.#file.write(bytes)
    if (written === undefined) return
    this.#stdout.pause()
    written.catch((error: unknown) => this.#fail(error)).finally(() => this.#stdout.resume())
  }

  #fail(error: unknown): void {
    this.#failure ??= { error }
    this.#target?.onFailure()
  }
}
