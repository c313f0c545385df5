import type { Cancel } from '../runtime/cancel.js'
import type { Clock } from '../runtime/clock.js'
import { Problem } from '../problems/problem.js'
import type { WorkClass } from '../sdk/index.js'
import { NoPlace, Semaphore, type OnPosition } from '../runtime/semaphore.js'

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

  /** Throws Problem `overloaded` when `enter` would refuse at once: asked before a call's credits are held, which a queue that is full is spared. */
  assertOpen(work: WorkClass, cancel: Cancel): void {
    if (work === 'light') return
    try {
      this.#semaphores[work].assertOpen(cancel)
    } catch (error) {
      throw this.#refusal(work, error)
    }
  }

  /**
   * Takes a slot, waiting for one if needed; the returned function gives it back. `onPosition` is told the place in the line while the call
   * waits. Throws Problem `overloaded` when none comes free in time.
   */
  async enter(work: WorkClass, cancel: Cancel, onPosition?: OnPosition): Promise<() => void> {
    if (work === 'light') return () => undefined
    try {
      return await this.#semaphores[work].take(cancel, 0, onPosition)
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
