import type { Cancel } from '../cancel.js'

/** The paid calls that are running, so that a stop can wait for them and at last cut them. */
export class RunningCalls {
  readonly #cancels = new Set<Cancel>()
  readonly #whenIdle: (() => void)[] = []

  add(cancel: Cancel): void {
    this.#cancels.add(cancel)
  }

  remove(cancel: Cancel): void {
    this.#cancels.delete(cancel)
    if (this.#cancels.size > 0) return
    for (const resolve of this.#whenIdle.splice(0)) resolve()
  }

  get size(): number {
    return this.#cancels.size
  }

  /** Resolves when no call runs. */
  async idle(): Promise<void> {
    while (this.#cancels.size > 0) await new Promise<void>((resolve) => void this.#whenIdle.push(resolve))
  }

  /** Stops every running call. */
  cut(): void {
    for (const cancel of this.#cancels) cancel.cancel('shutdown')
  }
}
