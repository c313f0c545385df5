import type { Clock } from '../runtime/clock.js'
import type { Log } from '../runtime/log-events.js'
import { logFailedWork, type SettingsStore } from './types.js'

/** Interval at which a gateway checks for changed settings, in milliseconds. */
const CHECK_MS = 2_000

/** Calls listeners within seconds after a setting in the store was changed, here or by another replica. */
export class SettingsWatch {
  readonly #store: SettingsStore
  readonly #listeners: (() => Promise<void>)[] = []
  readonly #stop: () => void
  #version = -1
  #checking: Promise<void> = Promise.resolve()

  constructor(store: SettingsStore, clock: Clock, log: Log) {
    this.#store = store
    this.#stop = clock.every(CHECK_MS, () => {
      this.check().catch((error: unknown) =>
        logFailedWork(log, { event: 'settings-not-read', message: 'settings could not be read', error }),
      )
    })
  }

  /** Registers a listener for the first check and every change. When it fails, the next check calls it again. */
  on(listener: () => Promise<void>): void {
    this.#listeners.push(listener)
  }

  /** Checks now; resolves when every listener has finished. One check at a time. */
  check(): Promise<void> {
    const next = this.#checking.then(() => this.#check())
    this.#checking = next.catch(() => undefined)
    return next
  }

  async #check(): Promise<void> {
    const version = await this.#store.version()
    if (version === this.#version) return
    for (const listener of this.#listeners) await listener()
    this.#version = version
  }

  close(): void {
    this.#stop()
  }
}
