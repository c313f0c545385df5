import { closeSync, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { NotCarriedOut } from './failure.js'

const CHUNK = 1024 * 1024
/** Milliseconds between attempts to restore the reserve. */
const RETRY_MS = 5000

/** A file that reserves disk space; deleted when the disk is full, so that open holds can be charged or released. */
export class DiskReserve {
  readonly #file: string
  readonly #bytes: number
  readonly #monotonic: () => number
  #spent = false
  #nextTry = 0

  /** With 0 bytes there is no file, and a full disk refuses new work until a command succeeds. */
  constructor(options: { file: string; bytes: number; monotonic: () => number }) {
    this.#file = options.file
    this.#bytes = options.bytes
    this.#monotonic = options.monotonic
  }

  get spent(): boolean {
    return this.#spent
  }

  /** Creates the file unless it exists; when it does not fit, the disk counts as full. */
  fill(): void {
    if (this.#bytes === 0 || statSync(this.#file, { throwIfNoEntry: false })?.size === this.#bytes) return
    try {
      this.#write()
    } catch {
      this.spend()
    }
  }

  #write(): void {
    const file = openSync(this.#file, 'w', 0o600)
    try {
      const zeros = Buffer.alloc(CHUNK)
      for (let left = this.#bytes; left > 0; left -= CHUNK) writeSync(file, zeros, 0, Math.min(left, CHUNK))
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  }

  /** Deletes the file. */
  spend(): void {
    this.#spent = true
    this.#nextTry = this.#monotonic() + RETRY_MS
    rmSync(this.#file, { force: true })
  }

  /** Creates the file again, with at most one try every five seconds. */
  tryRestore(): void {
    if (!this.#spent || this.#monotonic() < this.#nextTry) return
    this.#spent = false
    this.fill()
  }

  /** Creates the file again; throws StoreUnavailable while the disk is full. */
  restore(): void {
    this.tryRestore()
    if (this.#spent) throw new NotCarriedOut('the disk is full: new work is refused until there is free space', { full: true })
  }
}
