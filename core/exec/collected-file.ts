import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { ScratchFile } from '../sdk/index.js'
import type { ProgramFiles } from './types.js'

/** Files that a program made, on their way to the disk of the call. */
export class CollectedFiles {
  readonly #callFiles: ProgramFiles
  readonly done: { readonly name: string; readonly file: ScratchFile }[] = []

  constructor(callFiles: ProgramFiles) {
    this.#callFiles = callFiles
  }

  /** The next file; the one before has ended. */
  open(name: string): CollectedFile {
    return new CollectedFile(this.#callFiles, (file) => void this.done.push({ name, file }))
  }
}

/** One file, written piece by piece. What its writing rejects with, the next `write` or `end` does. */
export class CollectedFile {
  readonly #pass = new PassThrough()
  readonly #written: Promise<ScratchFile>
  readonly #onEnd: (file: ScratchFile) => void

  constructor(callFiles: ProgramFiles, onEnd: (file: ScratchFile) => void, maxBytes?: number) {
    this.#onEnd = onEnd
    // Its failure is that of the file, which is told where it is waited for.
    this.#pass.on('error', () => undefined)
    this.#written = callFiles.write(this.#pass, maxBytes)
    this.#written.catch(() => undefined)
  }

  /** Undefined when the next piece may come at once. */
  write(data: Buffer): Promise<void> | undefined {
    if (this.#pass.write(data)) return undefined
    // A writer that gives up breaks the pipe before it says why.
    const drained = once(this.#pass, 'drain').catch(() => this.#written)
    return Promise.race([drained, this.#written]).then(() => undefined)
  }

  async end(): Promise<void> {
    this.#pass.end()
    this.#onEnd(await this.#written)
  }

  /** Gives it up: nothing of it stays. */
  abandon(): void {
    this.#pass.destroy(new Error('the program ended before its file was read'))
  }
}
