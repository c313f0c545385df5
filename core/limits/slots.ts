import { cpus } from 'node:os'
import type { Cancel } from '../runtime/cancel.js'
import type { Clock } from '../runtime/clock.js'
import { Problem } from '../problems/problem.js'
import type { WorkClass } from '../sdk/index.js'
import { NoPlace, Semaphore, type OnPosition, type Preemptible } from '../runtime/semaphore.js'

type HeavyClass = Exclude<WorkClass, 'light'>

/** Slots of each class of heavy work, by default by processors. One of each is for accounts without a slot. */
export function slotsOf(limits: Readonly<Record<`${HeavyClass}_slots`, number | null>>): Record<HeavyClass, number> {
  const processors = cpus().length
  return {
    browser: limits.browser_slots ?? Math.max(2, processors * 2),
    code: limits.code_slots ?? Math.max(2, processors * 2),
    media: limits.media_slots ?? Math.max(2, processors + 1),
  }
}

/** How long a call may wait for places, by the weight of its work, in milliseconds. */
export function patienceOf(work: WorkClass): number {
  return work === 'light' ? 5_000 : 30_000
}

/** Source files of fewer bytes make a call small: it keeps its place `SMALL_MS` while accounts without one wait. */
export const SMALL_BYTES = 1_000_000
const SMALL_MS = 20_000

/** Places for heavy work, by class: of two or more, one is always reserved for accounts that have none. */
export class WorkSlots {
  readonly #slots: Readonly<Record<HeavyClass, number>>
  readonly #semaphores: Readonly<Record<HeavyClass, Semaphore>>

  constructor(clock: Clock, slots: Readonly<Record<HeavyClass, number>>) {
    const { browser, code, media } = slots
    this.#slots = slots
    const places = (size: number): Semaphore => new Semaphore(clock, size, { keepsOne: true })
    this.#semaphores = { browser: places(browser), code: places(code), media: places(media) }
  }

  /** Throws `overloaded` when `enter` would refuse at once: called before the hold, so that a full queue costs none. */
  assertOpen(work: WorkClass, cancel: Cancel): void {
    if (work === 'light') return
    try {
      this.#semaphores[work].assertOpen(cancel)
    } catch (error) {
      throw this.#refusal(work, error)
    }
  }

  /**
   * Takes a slot, waiting for one if needed; the returned function releases it. `onPosition` receives the position in
   * the queue while the call waits; `endSmall` ends the call when it has held the slot for `SMALL_MS` and an account
   * without a place waits. Throws Problem `overloaded` when no slot becomes free in time.
   */
  async enter(work: WorkClass, cancel: Cancel, onPosition?: OnPosition, endSmall?: Preemptible['end']): Promise<() => void> {
    if (work === 'light') return () => undefined
    try {
      return await this.#semaphores[work].take(cancel, 0, onPosition, endSmall && { afterMs: SMALL_MS, end: endSmall })
    } catch (error) {
      throw this.#refusal(work, error)
    }
  }

  #refusal(work: HeavyClass, error: unknown): unknown {
    if (!(error instanceof NoPlace)) return error
    const { retryAfterSeconds } = error
    return new Problem('overloaded', `All ${this.#slots[work]} slots for ${work} work are taken (limits.${work}_slots).`, {
      retryAfterSeconds,
    })
  }
}
