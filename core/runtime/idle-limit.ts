import type { Cancel } from './cancel.js'
import type { Clock } from './clock.js'

/** A stop signal for work that may last as long as something moves: it comes with the given one, or when nothing has moved for a while. */
export class IdleLimit {
  /** Stopped for `step-timeout` when nothing has moved for the time. */
  readonly cancel: Cancel
  readonly #clock: Clock
  readonly #ms: number
  readonly #end: () => void
  #stop: () => void = () => undefined
  /** When something last moved, on the monotonic clock; null while nothing is to move. */
  #last: number | null

  /** `ms` without a move is the end; Infinity for no such end. The time counts from now on; `done` must be called at the end. */
  constructor(clock: Clock, cancel: Cancel, ms: number) {
    const step = cancel.step(Infinity)
    this.cancel = step.cancel
    this.#end = step.done
    this.#clock = clock
    this.#ms = ms
    this.#last = clock.monotonic()
    this.#watch(ms)
  }

  moved(): void {
    this.#last = this.#clock.monotonic()
  }

  /** Nothing is to move until the next move. */
  rest(): void {
    this.#last = null
  }

  done(): void {
    this.#stop()
    this.#end()
  }

  #watch(ms: number): void {
    if (ms === Infinity) return
    this.#stop = this.#clock.after(ms, () => {
      const left = this.#last === null ? this.#ms : this.#last + this.#ms - this.#clock.monotonic()
      if (left > 0) this.#watch(left)
      else this.cancel.cancel('step-timeout')
    })
  }
}
