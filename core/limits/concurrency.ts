import { Problem } from '../problems/problem.js'

/** Calls in flight for each key of this process. */
export class KeyConcurrency {
  readonly #most: number
  readonly #running = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** Takes a place, given back by the returned function. Throws `too-many-in-flight` when none is free. */
  enter(key: string): () => void {
    const running = this.#running.get(key) ?? 0
    if (running >= this.#most)
      throw new Problem(
        'too-many-in-flight',
        `This key has ${running} calls running and may have ${this.#most} (concurrency limit limits.key_concurrency).`,
        {
          retryAfterSeconds: 1,
        },
      )
    this.#running.set(key, running + 1)
    let left = false
    return () => {
      if (left) return
      left = true
      const now = (this.#running.get(key) ?? 1) - 1
      if (now === 0) this.#running.delete(key)
      else this.#running.set(key, now)
    }
  }
}
