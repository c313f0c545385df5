import type { Cancel } from '../cancel.js'
import type { Clock } from '../clock.js'
import { Stopped } from './exchange.js'
import { LimitByKey } from './limit-by-key.js'
import { pause } from '../pause.js'

const SECOND_MS = 1_000

/** So many at once and so many a second for each key, over all callers; the rest wait, each caller's in order. */
export class Throttle {
  readonly #atOnce: LimitByKey
  readonly #perSecond: number
  readonly #clock: Clock
  /** When the next one may start, by key, on the monotonic clock. */
  readonly #next = new Map<string, number>()

  constructor(limits: { readonly atOnce: number; readonly perSecond: number }, clock: Clock) {
    this.#atOnce = new LimitByKey(clock, limits.atOnce)
    this.#perSecond = limits.perSecond
    this.#clock = clock
  }

  /** Runs the work when it is its turn. Rejects with Stopped when cancelled before, Fault `busy` when too many wait. */
  async run<T>(key: string, cancel: Cancel, work: () => Promise<T>): Promise<T> {
    const release = await this.take(key, cancel)
    try {
      return await work()
    } finally {
      release()
    }
  }

  /** Waits for its turn; the returned function gives the place back, once. Rejects as `run` does. */
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
    const at = Math.max(now, this.#next.get(key) ?? 0)
    this.#next.set(key, at + SECOND_MS / this.#perSecond)
    return at === now ? Promise.resolve() : pause(at - now, cancel, this.#clock, (reason) => new Stopped(reason))
  }

  #forget(now: number): void {
    if (this.#next.size < 1_000) return
    for (const [key, at] of this.#next) if (at <= now) this.#next.delete(key)
  }
}
