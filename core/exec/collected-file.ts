import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { ScratchFile } from '../sdk/index.js'
import type { ProgramFiles } from './types.js'

/** Writes files that a program made to the disk of the call. */
export class CollectedFiles {
  readonly #callFiles: ProgramFiles
  readonly done: { readonly name: string; readonly file: ScratchFile }[] = []

  constructor(callFiles: ProgramFiles) {
    this.#callFiles = callFiles
  }

  /** Opens the next file; the previous one must have ended. */
  open(name: string): CollectedFile {
    return new CollectedFile(this.#callFiles, (file) => void this.done.push({ name, file }))
  }
}

/** One file, written piece by piece. An error of writing rejects the next `write` or `end`. */
export class CollectedFile {
  readonly #pass = new PassThrough()
  readonly #written: Promise<ScratchFile>
  readonly #onEnd: (file: ScratchFile) => void

  constructor(callFiles: ProgramFiles, onEnd: (file: ScratchFile) => void, maxBytes?: number) {
    this.#onEnd = onEnd
    // The failure is reported by `write` and `end`.
    this.#pass.on('error', () => undefined)
    this.#written = callFiles.write(this.#pass, maxBytes)
    this.#written.catch(() => undefined)
  }

  /** Returns a promise when the caller must wait before the next piece. */
  write(data: Buffer): Promise<void> | undefined {
    if (this.#pass.write(data)) return undefined
    // A failed writer closes the pipe before it rejects.
    const drained = once(this.#pass, 'drain').catch(() => this.#written)
    return Promise.race([drained, this.#written]).then(() => undefined)
  }

  async end(): Promise<void> {
    this.#pass.end()
    this.#onEnd(await this.#written)
  }

  /** Discards the file. */
  abandon(): void {
    this.#pass.destroy(new Error('the program ended before its file was read'))
  }
}
