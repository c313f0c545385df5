import { LRUCache } from 'lru-cache'
import type { Clock } from '../../runtime/clock.js'

/** What a kept text takes beside its characters, in bytes: its name, its times and its places in the tables. */
const OVERHEAD = 300

/** A text and how long it is good, on the monotonic clock. */
export interface Kept {
  readonly text: string
  /** From then on it is stale. */
  readonly freshUntil: number
  readonly until: number
}

/** Texts in this process's memory, the least recently used of which give way to others. */
export class MemoryEntries {
  readonly #clock: Clock
  readonly #kept: LRUCache<string, Kept>

  /** `most` bytes together, two for each character. */
  constructor(clock: Clock, most: number) {
    this.#clock = clock
    this.#kept = new LRUCache({ maxSize: most, sizeCalculation: ({ text }) => 2 * text.length + OVERHEAD })
  }

  /** What is kept and not over yet. */
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
