import type { Cancel } from './cancel.js'

interface RunningEntry {
  readonly cancel: Cancel
  at: number
}

/**
 * The running paid calls, so that a stop can wait for them and finally cancel them. An array rather than a Set: a Set with thousands of
 * additions and deletions a second discards a table every few dozen, each table refers to the next, and once one of them is in the old
 * generation all later ones are kept with their contents until the next full collection.
 */
export class RunningCalls {
  readonly #places: RunningEntry[] = []
  readonly #whenIdle: (() => void)[] = []

  /** Adds a call; the returned function, to be called once, removes it. */
  add(cancel: Cancel): () => void {
    const place: RunningEntry = { cancel, at: this.#places.length }
    this.#places.push(place)
    return () => this.#leave(place)
  }

  get size(): number {
    return this.#places.length
  }

  /** Resolves when no call runs. */
  async idle(): Promise<void> {
    while (this.#places.length > 0) await new Promise<void>((resolve) => void this.#whenIdle.push(resolve))
  }

  /** Stops every running call. */
  cut(): void {
    for (const { cancel } of [...this.#places]) cancel.cancel('shutdown')
  }

  /** The last entry fills the gap. */
  #leave(place: RunningEntry): void {
    const last = this.#places.pop()
    if (last !== undefined && last !== place) {
      last.at = place.at
      this.#places[place.at] = last
    }
    if (this.#places.length > 0) return
    for (const resolve of this.#whenIdle.splice(0)) resolve()
  }
}

/** Number of running calls of each key in this process. */
export class RunningByKey {
  readonly #running = new Map<string, number>()

  of(key: string): number {
    return this.#running.get(key) ?? 0
  }

  /** Adds a call; the returned function removes it, once. */
  add(key: string): () => void {
    this.#running.set(key, this.of(key) + 1)
    let left = false
    return () => {
      if (left) return
      left = true
      const now = this.of(key) - 1
      if (now === 0) this.#running.delete(key)
      else this.#running.set(key, now)
    }
  }
}
