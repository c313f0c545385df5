import type { Clock } from '../runtime/clock.js'
import type { Log } from '../runtime/log-events.js'
import { logFailedWork } from './failed-work.js'
import type { SettingsStore } from './types.js'

/** How often a gateway asks whether another has changed a setting, in milliseconds. */
const LOOK_MS = 2_000

/** Tells within seconds when a setting in the store was changed, here or by another replica. */
export class SettingsWatch {
  readonly #store: SettingsStore
  readonly #listeners: (() => Promise<void>)[] = []
  readonly #stop: () => void
  #version = -1
  #looking: Promise<void> = Promise.resolve()

  constructor(store: SettingsStore, clock: Clock, log: Log) {
    this.#store = store
    this.#stop = clock.every(LOOK_MS, () => {
      this.look().catch((error: unknown) =>
        logFailedWork(log, { event: 'settings-not-read', message: 'settings could not be read', error }),
      )
    })
  }

  /** Calls back at the first look and whenever a setting has changed; when it fails it is called again by the next look. */
  on(listener: () => Promise<void>): void {
    this.#listeners.push(listener)
  }

  /** Looks now; resolves when every listener has done its work. One look at a time. */
  look(): Promise<void> {
    const next = this.#looking.then(() => this.#look())
    this.#looking = next.catch(() => undefined)
    return next
  }

  async #look(): Promise<void> {
    const version = await this.#store.version()
    if (version === this.#version) return
    for (const listener of this.#listeners) await listener()
    this.#version = version
  }

  close(): void {
    this.#stop()
  }
}
