import type { Clock } from '../runtime/clock.js'
import type { Log } from '../runtime/log-events.js'
import { type HistoryStore, logFailedWork, type RefusedRow } from '../store/types.js'

const WRITE_MS = 1_000

/**
 * Counts calls refused before any credit was held. Each gateway keeps its own absolute counters and writes them every
 * second, so that a refused call never writes to the account and repeating a write changes nothing.
 */
export class Refusals {
  readonly #history: HistoryStore
  readonly #clock: Clock
  readonly #instance: string
  readonly #log: Log
  readonly #counts = new Map<string, RefusedRow>()
  readonly #changed = new Set<string>()
  #stopTimer: (() => void) | null = null
  #day = ''

  constructor(history: HistoryStore, clock: Clock, instance: string, log: Log) {
    this.#history = history
    this.#clock = clock
    this.#instance = instance
    this.#log = log
  }

  count(account: string, endpoint: string, capability: string, status: number): void {
    const day = new Date(this.#clock.now()).toISOString().slice(0, 10)
    if (day !== this.#day) this.#turn(day)
    const id = `${day} ${account} ${endpoint} ${status}`
    const row = this.#counts.get(id)
    this.#counts.set(id, { instance: this.#instance, account, day, endpoint, capability, status, count: (row?.count ?? 0) + 1 })
    this.#changed.add(id)
    this.#later()
  }

  /** Writes the changed counters; failed ones are retried a second later. */
  async flush(): Promise<void> {
    this.#stop()
    const ids = [...this.#changed]
    this.#changed.clear()
    const rows = ids.flatMap((id) => this.#counts.get(id) ?? [])
    if (rows.length === 0) return
    try {
      await this.#history.refused(rows)
    } catch (error) {
      logFailedWork(this.#log, { event: 'refusals-not-written', message: 'counters of refused calls could not be written yet', error })
      for (const id of ids) this.#changed.add(id)
      this.#later()
    }
  }

  /** Tries once more and stops. */
  async close(): Promise<void> {
    await this.flush()
    this.#stop()
  }

  #later(): void {
    this.#stopTimer ??= this.#clock.after(WRITE_MS, () => void this.flush())
  }

  #stop(): void {
    this.#stopTimer?.()
    this.#stopTimer = null
  }

  /** Drops counters of past days once written: they no longer grow. */
  #turn(day: string): void {
    for (const id of this.#counts.keys()) if (!this.#changed.has(id)) this.#counts.delete(id)
    this.#day = day
  }
}
