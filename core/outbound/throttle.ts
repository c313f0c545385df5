import { noPlaceFault } from '../problems/no-place.js'
import { type Cancel, pause } from '../runtime/cancel.js'
import type { Clock } from '../runtime/clock.js'
import { NoPlace, Semaphore } from '../runtime/semaphore.js'
import { RequestStopped } from './exchange.js'

const SECOND_MS = 1_000

/**
 * Limits concurrency and rate per key, over all callers; the rest wait, each caller's in order. After a pause `burst` of a key may start at
 * once (default 1); the rest start at the rate.
 */
export class Throttle {
  readonly #atOnce: LimitByKey
  readonly #intervalMs: number
  /** How far ahead of the clock starts may be scheduled without a wait. */
  readonly #aheadMs: number
  readonly #clock: Clock
  /** When the next one would start at the steady rate, by key, on the monotonic clock. */
  readonly #next = new Map<string, number>()

  constructor(limits: { readonly atOnce: number; readonly perSecond: number; readonly burst?: number }, clock: Clock) {
    this.#atOnce = new LimitByKey(clock, limits.atOnce)
    this.#intervalMs = SECOND_MS / limits.perSecond
    this.#aheadMs = this.#intervalMs * ((limits.burst ?? 1) - 1)
    this.#clock = clock
  }

  /** Runs the work in its turn. Rejects with RequestStopped when cancelled before, Fault `busy` when too many wait. */
  async run<T>(key: string, cancel: Cancel, work: () => Promise<T>): Promise<T> {
    const release = await this.take(key, cancel)
    try {
      return await work()
    } finally {
      release()
    }
  }

  /** Waits for a slot; the returned function releases it, once. Rejects as `run` does. */
  async take(key: string, cancel: Cancel): Promise<() => void> {
    const release = await this.#atOnce.take(key, cancel)
    try {
      await this.#turn(key, cancel)
      return release
    } catch (error) {
      release()
      throw error
    }
  }

  #turn(key: string, cancel: Cancel): Promise<void> {
    const now = this.#clock.monotonic()
    this.#forget(now)
    const steady = Math.max(now, this.#next.get(key) ?? 0)
    this.#next.set(key, steady + this.#intervalMs)
    const waitMs = steady - this.#aheadMs - now
    return waitMs <= 0 ? Promise.resolve() : pause(waitMs, cancel, this.#clock, (reason) => new RequestStopped(reason))
  }

  #forget(now: number): void {
    if (this.#next.size < 1_000) return
    for (const [key, at] of this.#next) if (at <= now) this.#next.delete(key)
  }
}

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
