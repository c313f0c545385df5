import type { Cancel } from '../runtime/cancel.js'
import type { Clock } from '../runtime/clock.js'
import { noPlaceFault } from '../problems/no-place.js'
import { NoPlace, Semaphore } from '../runtime/semaphore.js'
import { RequestStopped } from './exchange.js'

/** A concurrency limit per key. */
export class LimitByKey {
  readonly #clock: Clock
  readonly #limit: number
  readonly #semaphores = new Map<string, Semaphore>()

  constructor(clock: Clock, limit: number) {
    this.#clock = clock
    this.#limit = limit
  }

  /** Waits for a slot; the returned function releases it, once. Rejects with RequestStopped when cancelled, or with Fault `busy` (`overloaded` to the caller) when none becomes free in time. */
  async take(key: string, cancel: Cancel): Promise<() => void> {
    const semaphore = this.#semaphores.get(key) ?? new Semaphore(this.#clock, this.#limit)
    this.#semaphores.set(key, semaphore)
    try {
      const release = await semaphore.take(cancel)
      return () => {
        release()
        if (semaphore.idle && this.#semaphores.get(key) === semaphore) this.#semaphores.delete(key)
      }
    } catch (error) {
      if (semaphore.idle) this.#semaphores.delete(key)
      if (!(error instanceof NoPlace)) throw error
      const { reason } = error
      if (reason !== 'full' && reason !== 'late') throw new RequestStopped(reason)
      throw noPlaceFault(error, `${this.#limit} requests to ${key} are already running, and more are waiting than the time allows.`)
    }
  }

  /** How many keys have a semaphore. */
  get size(): number {
    return this.#semaphores.size
  }
}
