import type { Cancel } from '../cancel.js'

/** The paid calls that are running, so that a stop can wait for them and at last cut them. */
export class RunningCalls {
  readonly #cancels = new Set<Cancel>()

  add(cancel: Cancel): void {
    this.#cancels.add(cancel)
  }

  remove(cancel: Cancel): void {
    this.#cancels.delete(cancel)
  }

  get size(): number {
    return this.#cancels.size
  }

  /** Stops every running call. */
  cut(): void {
    for (const cancel of this.#cancels) cancel.cancel('shutdown')
  }
}
