import type { ExecResult } from '../sdk/index.js'
import { CollectedFiles } from './collected-file.js'
import { isInMemory } from './input-files.js'
import { TarReader } from './tar.js'
import type { ProgramFiles, RunOptions } from './types.js'

const MIB = 1024 * 1024
/** Allowance for tar headers of small files, in MiB. */
const HEADERS_MB = 64
/** `E`, three digits and a line break. */
const LONGEST_HEAD = 5

/** Reads the output of a sandbox at a program's end: `E`, the exit code, a line break and a tar stream of its folder. All of it is untrusted. */
export class Collector {
  readonly #tar: TarReader
  readonly #files: CollectedFiles | null
  readonly #most: number
  readonly #on: { readonly code: () => void; readonly over: () => void }
  #head = ''
  #seen = 0
  #open = true
  #code: number | null = null
  #unread = 0

  /** Calls `code` when the exit code is known, and `over` when more bytes arrive than a folder of `diskMb` holds (sparse files), after which nothing is read. */
  constructor(options: RunOptions, diskMb: number, on: { readonly code: () => void; readonly over: () => void }) {
    const known = new Map((options.files ?? []).filter(isInMemory).map(({ name, data }) => [name, data]))
    this.#files = options.collect?.into === undefined ? null : new CollectedFiles(callFilesOf(options))
    this.#tar = new TarReader(options.collect ?? { maxFiles: 0, maxBytes: 0 }, known, this.#files)
    this.#most = (diskMb + HEADERS_MB) * MIB
    this.#on = on
  }

  /** The program's exit code, null until it is known. */
  get code(): number | null {
    return this.#code
  }

  /** The collected files, once all are read and, with `collect.into`, written. Rejects with the error of writing. */
  async collected(): Promise<Pick<ExecResult, 'files' | 'scratchFiles'> & { readonly filesLeft: number }> {
    await this.#tar.end()
    const { files, left } = this.#tar.collected
    return { files, scratchFiles: this.#files?.done ?? [], filesLeft: left + this.#unread }
  }

  /** Writes the next piece; if it returns a promise, wait for it before writing again. */
  write(chunk: Buffer): void | Promise<void> {
    if (!this.#open) return
    this.#seen += chunk.length
    if (this.#seen > this.#most) {
      this.end()
      this.#on.over()
    } else if (this.#code === null) return this.#readHead(chunk)
    else return this.#toTar(chunk)
  }

  /** Stops reading; an unread rest counts as one file left. */
  end(): void {
    if (this.#open) this.#unread = 1
    this.#open = false
  }

  #toTar(chunk: Buffer): void | Promise<void> {
    // `collected` reports the error.
    return this.#tar.write(chunk)?.catch(() => {
      this.end()
      this.#on.over()
    })
  }

  #readHead(chunk: Buffer): void | Promise<void> {
    const end = chunk.indexOf('\n')
    this.#head += chunk.toString('latin1', 0, end < 0 ? chunk.length : end)
    const [, code] = /^E(\d{1,3})$/.exec(this.#head) ?? []
    if (end < 0) {
      if (this.#head.length >= LONGEST_HEAD) this.end()
      return
    }
    if (code === undefined) return this.end()
    this.#code = Number(code)
    this.#on.code()
    return this.#toTar(chunk.subarray(end + 1))
  }
}

/** The files of the call. Throws TypeError for a program that runs outside a call. */
export function callFilesOf({ callFiles }: RunOptions): ProgramFiles {
  if (callFiles === undefined) throw new TypeError('a program that runs outside a call has no files of a call')
  return callFiles()
}
