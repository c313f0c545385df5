import { readFileSync, statSync } from 'node:fs'
import type { Clock } from '../runtime/clock.js'
import { codeOf } from '../problems/own-lack.js'

/** Interval between checks for changes, in milliseconds. */
const CHECK_MS = 5_000

/** A file of the system, read again when it has changed. Reads synchronously: it is small, and lookups may occupy the thread pool. */
export class SystemFile<T> {
  readonly #path: string
  readonly #read: (text: string) => T
  readonly #clock: Clock
  #seen: { readonly stamp: string; readonly value: T } | null = null
  #checkAt = -Infinity

  constructor(path: string, read: (text: string) => T, clock: Clock) {
    this.#path = path
    this.#read = read
    this.#clock = clock
  }

  /** The content, at most 5 s old. A file that is absent or unreadable is empty. Throws when this process lacks descriptors. */
  get(): T {
    const now = this.#clock.monotonic()
    if (this.#seen !== null && now < this.#checkAt) return this.#seen.value
    const stamp = this.#stamp()
    if (stamp !== this.#seen?.stamp) this.#seen = { stamp, value: this.#read(this.#text()) }
    this.#checkAt = now + CHECK_MS
    return this.#seen.value
  }

  #stamp(): string {
    const stat = statSync(this.#path, { throwIfNoEntry: false })
    return stat === undefined ? '' : `${stat.mtimeMs} ${stat.size} ${stat.ino}`
  }

  #text(): string {
    try {
      return readFileSync(this.#path, 'utf8')
    } catch (error) {
      if (['ENOENT', 'EACCES'].includes(codeOf(error))) return ''
      throw error
    }
  }
}
