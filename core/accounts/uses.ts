import type { Clock } from '../runtime/clock.js'
import type { Log } from '../runtime/log-events.js'
import { type KeyStore, logFailedWork } from '../store/types.js'

/** `last_used_at` may be 5 s old; each write is one more document beside the calls. */
const WRITE_MS = 4_000

/** Records when keys were last used, written every four seconds, so that no request waits for it. */
export class KeyUses {
  readonly #store: KeyStore
  readonly #clock: Clock
  readonly #log: Log
  #uses = new Map<string, number>()
  #scheduled = false

  constructor(store: KeyStore, clock: Clock, log: Log) {
    this.#store = store
    this.#clock = clock
    this.#log = log
  }

  used(key: string): void {
    this.#uses.set(key, this.#clock.now())
    if (this.#scheduled) return
    this.#scheduled = true
    this.#clock.after(WRITE_MS, () => void this.flush())
  }

  /** Writes the uses since the last flush. */
  async flush(): Promise<void> {
    this.#scheduled = false
    const uses = [...this.#uses].map(([id, at]) => ({ id, at }))
    this.#uses = new Map()
    if (uses.length === 0) return
    try {
      await this.#store.touch(uses)
    } catch (error) {
      logFailedWork(this.#log, {
        event: 'key-uses-not-written',
        message: 'the last use of keys could not be written',
        error,
        fields: { keys: uses.length },
      })
    }
  }
}
