/** The current handlers of signals. */
export interface SignalHandlers {
  /** SIGTERM or SIGINT. */
  readonly stop: (signal: NodeJS.Signals) => void
  /** SIGHUP. */
  readonly reload: () => void
}

/** Handles signals from construction to `close`; the handlers change while the gateway starts, runs and stops. */
export class Signals {
  #now: SignalHandlers

  constructor(first: SignalHandlers) {
    this.#now = first
    process.on('SIGTERM', this.#stop).on('SIGINT', this.#stop).on('SIGHUP', this.#reload)
  }

  setHandlers(next: SignalHandlers): void {
    this.#now = next
  }

  close(): void {
    process.off('SIGTERM', this.#stop).off('SIGINT', this.#stop).off('SIGHUP', this.#reload)
  }

  readonly #stop = (signal: NodeJS.Signals): void => this.#now.stop(signal)
  readonly #reload = (): void => this.#now.reload()
}
