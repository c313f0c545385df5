import type { Cancel } from '../cancel.js'
import type { Clock } from '../clock.js'
import { Problem } from '../problems/problem.js'
import type { WorkClass } from '../sdk/index.js'
import { NoPlace, Semaphore } from '../semaphore.js'

type HeavyClass = Exclude<WorkClass, 'light'>

/** How long a call may wait for places, by the weight of its work, in milliseconds. */
export function patienceOf(work: WorkClass): number {
  return work === 'light' ? 5_000 : 30_000
}

/** Places for heavy work, by class. */
export class WorkSlots {
  readonly #slots: Readonly<Record<HeavyClass, number>>
  readonly #semaphores: Readonly<Record<HeavyClass, Semaphore>>

  constructor(clock: Clock, slots: Readonly<Record<HeavyClass, number>>) {
    const { browser, code, media } = slots
    this.#slots = slots
    this.#semaphores = { browser: new Semaphore(clock, browser), code: new Semaphore(clock, code), media: new Semaphore(clock, media) }
  }

  /** Takes a slot, waiting for one if needed; the returned function gives it back. Throws Problem `overloaded` when none comes free in time. */
  async enter(work: WorkClass, cancel: Cancel): Promise<() => void> {
    if (work === 'light') return () => undefined
    try {
      return await this.#semaphores[work].take(cancel)
    } catch (error) {
      if (!(error instanceof NoPlace)) throw error
      const { retryAfterSeconds } = error
      throw new Problem('overloaded', `All ${this.#slots[work]} slots for ${work} work are taken (limits.${work}_slots).`, {
        retryAfterSeconds,
      })
    }
  }
}
