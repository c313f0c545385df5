import type { Clock } from '../runtime/clock.js'

interface BreakerOptions {
  /** Failures in a row that open it. */
  readonly inARow: number
  /** How long nothing is sent before the one probe, in milliseconds. */
  readonly skipMs: number
  /** Tries the other side; must not reject. */
  readonly probe: () => Promise<boolean>
  readonly changed: () => void
}

/** Stops asking what does not answer. The probe is sent from the background, so no caller ever waits for it. */
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

  /** Whether the other side may be asked. */
  get closed(): boolean {
    return this.#closed
  }

  /** An answer that comes while it is open is one that was asked for before, and only the probe closes it. */
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

  /** No probe is sent any more. */
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
    // Closed for good meanwhile.
    if (stop !== this.#stop) return
    if (!answers) return this.#wait()
    this.#failures = 0
    this.#closed = true
    this.#options.changed()
  }
}
