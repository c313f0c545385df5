import { readFileSync, statSync } from 'node:fs'
import type { Clock } from '../runtime/clock.js'
import { codeOf } from '../problems/own-lack.js'

/** How often a file is looked at for changes, in milliseconds. */
const LOOK_MS = 5_000

/** A file of the system, read when it has changed. Reads synchronously: it is small, and the pool that reads otherwise may be waiting for names. */
export class SystemFile<T> {
  readonly #path: string
  readonly #read: (text: string) => T
  readonly #clock: Clock
  #seen: { readonly stamp: string; readonly value: T } | null = null
  #lookAt = -Infinity

  constructor(path: string, read: (text: string) => T, clock: Clock) {
    this.#path = path
    this.#read = read
    this.#clock = clock
  }

  /** What the file said when it was last looked at, at most 5 s ago. A file that is absent or not readable is empty. Throws when this process lacks descriptors. */
  get(): T {
    const now = this.#clock.monotonic()
    if (this.#seen !== null && now < this.#lookAt) return this.#seen.value
    const stamp = this.#stamp()
    if (stamp !== this.#seen?.stamp) this.#seen = { stamp, value: this.#read(this.#text()) }
    this.#lookAt = now + LOOK_MS
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
