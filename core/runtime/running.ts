import type { Cancel } from './cancel.js'

interface Place {
  readonly cancel: Cancel
  at: number
}

/**
 * The paid calls that are running, so that a stop can wait for them and at last cut them. An array rather than a Set: a Set that thousands pass
 * through in a second discards a table every few dozen of them, each table refers to the next, and once one of them is in the old generation
 * all that follow are kept with what was in them until the next full collection.
 */
export class RunningCalls {
  readonly #places: Place[] = []
  readonly #whenIdle: (() => void)[] = []

  /** Counts a call; the returned function, to be called once, forgets it. */
  add(cancel: Cancel): () => void {
    const place: Place = { cancel, at: this.#places.length }
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

  /** The last takes the place that becomes free. */
  #leave(place: Place): void {
    const last = this.#places.pop()
    if (last !== undefined && last !== place) {
      last.at = place.at
      this.#places[place.at] = last
    }
    if (this.#places.length > 0) return
    for (const resolve of this.#whenIdle.splice(0)) resolve()
  }
}

/** How many calls of each key run in this process. */
export class RunningByKey {
  readonly #running = new Map<string, number>()

  of(key: string): number {
    return this.#running.get(key) ?? 0
  }

  /** Counts a call in; the returned function counts it out, once. */
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
