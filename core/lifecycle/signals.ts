/** What signals mean at the moment. */
export interface Heeded {
  /** SIGTERM or SIGINT. */
  readonly stop: (signal: NodeJS.Signals) => void
  /** SIGHUP. */
  readonly reload: () => void
}

/** Signals to the process, heeded from when this is made until it is closed; what they mean changes while the gateway starts, runs and stops. */
export class Signals {
  #now: Heeded

  constructor(first: Heeded) {
    this.#now = first
    process.on('SIGTERM', this.#stop).on('SIGINT', this.#stop).on('SIGHUP', this.#reload)
  }

  mean(next: Heeded): void {
    this.#now = next
  }

  close(): void {
    process.off('SIGTERM', this.#stop).off('SIGINT', this.#stop).off('SIGHUP', this.#reload)
  }

  readonly #stop = (signal: NodeJS.Signals): void => this.#now.stop(signal)
  readonly #reload = (): void => this.#now.reload()
}
