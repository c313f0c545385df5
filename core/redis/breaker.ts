import type { Clock } from '../runtime/clock.js'

interface BreakerOptions {
  /** Failures in a row that open it. */
  readonly inARow: number
  /** Pause before each probe, in milliseconds. */
  readonly skipMs: number
  /** Resolves to true when the other side answers; must not reject. */
  readonly probe: () => Promise<boolean>
  readonly changed: () => void
}

/** A circuit breaker. Probes run in the background, so that no caller waits for one. */
export class Breaker {
  readonly #clock: Clock
  readonly #options: BreakerOptions
  #failures = 0
  #closed = true
  #stop: () => void = () => undefined

  constructor(clock: Clock, options: BreakerOptions) {
    this.#clock = clock
    this.#options = options
  }

  /** True when requests may be sent. */
  get closed(): boolean {
    return this.#closed
  }

  /** Call it after each answer. A late answer does not close an open breaker; only a probe does. */
  succeeded(): void {
    this.#failures = 0
  }

  failed(): void {
    this.#failures++
    if (!this.#closed || this.#failures < this.#options.inARow) return
    this.#closed = false
    this.#wait()
    this.#options.changed()
  }

  /** Stops probing. */
  close(): void {
    this.#stop()
    this.#stop = () => undefined
  }

  #wait(): void {
    this.#stop = this.#clock.after(this.#options.skipMs, () => void this.#try())
  }

  async #try(): Promise<void> {
    const stop = this.#stop
    const answers = await this.#options.probe()
    // `close` was called meanwhile.
    if (stop !== this.#stop) return
    if (!answers) return this.#wait()
    this.#failures = 0
    this.#closed = true
    this.#options.changed()
  }
}
