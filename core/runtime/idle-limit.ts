import type { Cancel } from './cancel.js'
import type { Clock } from './clock.js'

/** A stop signal with an idle limit: it is stopped with the parent signal, or when nothing has moved for `ms`. */
export class IdleLimit {
  /** Stopped for `step-timeout` when nothing has moved for the time. */
  readonly cancel: Cancel
  readonly #clock: Clock
  readonly #ms: number
  readonly #end: () => void
  #stop: () => void = () => undefined
  /** Time of the last move, on the monotonic clock; null while none is expected. */
  #last: number | null

  /** `ms` is the longest time without a move from now on; Infinity for no limit. `done` must be called at the end. */
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

  /** Suspends the limit until the next move. */
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
