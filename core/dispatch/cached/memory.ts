import { LRUCache } from 'lru-cache'
import type { Clock } from '../../runtime/clock.js'

/** Bytes of a cached text beside its characters: its name, its times and its table entries. */
const OVERHEAD = 300

/** A text and its validity on the monotonic clock, in milliseconds. */
export interface Kept {
  readonly text: string
  /** From then on it is stale. */
  readonly freshUntil: number
  readonly until: number
}

/** Cached texts in this process's memory; the least recently used are evicted. */
export class MemoryEntries {
  readonly #clock: Clock
  readonly #kept: LRUCache<string, Kept>

  /** `most` bytes together, two for each character. */
  constructor(clock: Clock, most: number) {
    this.#clock = clock
    this.#kept = new LRUCache({ maxSize: most, sizeCalculation: ({ text }) => 2 * text.length + OVERHEAD })
  }

  /** The entry if it has not expired. */
  get(id: string): Kept | null {
    const kept = this.#kept.get(id)
    if (kept === undefined) return null
    if (kept.until > this.#clock.monotonic()) return kept
    this.#kept.delete(id)
    return null
  }

  delete(id: string): void {
    this.#kept.delete(id)
  }

  set(id: string, kept: Kept): void {
    this.#kept.set(id, kept)
  }
}
