import type { ExecOptions } from '../sdk/index.js'
import { TarReader, type Collected } from './tar.js'

const MIB = 1024 * 1024
/** Room for the headers of small files in what is collected. */
const HEADERS_MB = 64
/** `E`, three digits and a line break. */
const LONGEST_HEAD = 5

/** Reads what a sandbox tells at a program's end: `E`, the exit code, a line break and a tar stream of its folder. Nothing of it is believed. */
export class Collector {
  readonly #tar: TarReader
  readonly #most: number
  readonly #on: { readonly code: () => void; readonly over: () => void }
  #head = ''
  #seen = 0
  #open = true
  #code: number | null = null

  /** Calls back when the code is there, and when more than a folder of `diskMb` holds was sent (files with holes); nothing more is read then. */
  constructor(options: ExecOptions, diskMb: number, on: { readonly code: () => void; readonly over: () => void }) {
    const known = new Map((options.files ?? []).map(({ name, data }) => [name, data]))
    this.#tar = new TarReader(options.collect ?? { maxFiles: 0, maxBytes: 0 }, known)
    this.#most = (diskMb + HEADERS_MB) * MIB
    this.#on = on
  }

  /** The program's exit code, null until it is known. */
  get code(): number | null {
    return this.#code
  }

  get collected(): Collected {
    return this.#tar.collected
  }

  /** Takes the next piece. */
  write(chunk: Buffer): void {
    if (!this.#open) return
    this.#seen += chunk.length
    if (this.#seen > this.#most) {
      this.end()
      this.#on.over()
    } else if (this.#code === null) this.#readHead(chunk)
    else this.#tar.write(chunk)
  }

  /** Reads no further; what was not read counts as one file left. */
  end(): void {
    if (this.#open) this.collected.left += 1
    this.#open = false
  }

  #readHead(chunk: Buffer): void {
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
    this.#tar.write(chunk.subarray(end + 1))
  }
}
