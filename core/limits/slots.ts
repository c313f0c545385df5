import type { Cancel } from '../cancel.js'
import { Problem } from '../problems/problem.js'
import type { WorkClass } from '../sdk/index.js'

/** How long heavy work waits for a slot, in milliseconds. */
const WAIT_MS = 5_000

interface Waiter {
  start: () => void
}

/** Places for heavy work, by class: at most twice as many wait as work, and none longer than five seconds. */
export class WorkSlots {
  readonly #free = new Map<WorkClass, number>()
  readonly #slots: Readonly<Record<Exclude<WorkClass, 'light'>, number>>
  readonly #waiting = new Map<WorkClass, Set<Waiter>>()

  constructor(slots: Readonly<Record<Exclude<WorkClass, 'light'>, number>>) {
    this.#slots = slots
  }

  /** Takes a slot, waiting for one if needed; the returned function gives it back. Throws `overloaded` when none comes free. */
  async enter(work: WorkClass, cancel: Cancel): Promise<() => void> {
    if (work === 'light') return () => undefined
    const free = this.#free.get(work) ?? this.#slots[work]
    if (free > 0) this.#free.set(work, free - 1)
    else await this.#wait(work, cancel)
    let left = false
    return () => {
      if (left) return
      left = true
      this.#leave(work)
    }
  }

  #leave(work: WorkClass): void {
    const waiting = this.#waiting.get(work)
    const [next] = waiting ?? []
    if (next === undefined || waiting === undefined) return void this.#free.set(work, (this.#free.get(work) ?? 0) + 1)
    waiting.delete(next)
    next.start()
  }

  #wait(work: Exclude<WorkClass, 'light'>, cancel: Cancel): Promise<void> {
    const waiting = this.#waiting.get(work) ?? new Set<Waiter>()
    this.#waiting.set(work, waiting)
    const full = `All ${this.#slots[work]} slots for ${work} work are taken (limits.${work}_slots).`
    if (waiting.size >= this.#slots[work] * 2) throw new Problem('overloaded', full, { retryAfterSeconds: 5 })
    return new Promise((resolve, reject) => {
      const step = cancel.step(WAIT_MS)
      const waiter: Waiter = {
        start: () => {
          step.done()
          forget()
          resolve()
        },
      }
      // Before the listener, which is called at once when the call is already stopped.
      waiting.add(waiter)
      const forget = step.cancel.onCancel(() => {
        waiting.delete(waiter)
        step.done()
        reject(new Problem('overloaded', full, { retryAfterSeconds: 5 }))
      })
    })
  }
}
