import type { Clock } from '../clock.js'
import type { Log } from '../dispatch/environment.js'
import type { LedgerStore } from '../store/port.js'

/** How long delivery marks are gathered before they are written, in milliseconds: what a killed gateway gives back at most. */
const BATCH_MS = 10
/** Pause after a batch that could not be written, in milliseconds. */
const RETRY_MS = 1_000

/** Marks charges as delivered once their answers are written, a batch at a time. */
export class Deliveries {
  readonly #ledger: LedgerStore
  readonly #clock: Clock
  readonly #log: Log
  #waiting: { account: string; ref: string }[] = []
  #scheduled = false
  #writing: Promise<void> = Promise.resolve()

  constructor(ledger: LedgerStore, clock: Clock, log: Log) {
    this.#ledger = ledger
    this.#clock = clock
    this.#log = log
  }

  mark(account: string, hold: string): void {
    this.#waiting.push({ account, ref: hold })
    this.#schedule(BATCH_MS)
  }

  #schedule(ms: number): void {
    if (this.#scheduled) return
    this.#scheduled = true
    this.#clock.after(ms, () => void this.flush())
  }

  /** Writes what waits; resolves when it is durable. Marks that could not be written are tried again with the next batch. */
  flush(): Promise<void> {
    this.#scheduled = false
    const batch = this.#waiting
    this.#waiting = []
    if (batch.length === 0) return this.#writing
    this.#writing = this.#writing.then(async () => {
      try {
        await this.#ledger.delivered(batch)
      } catch (error) {
        this.#log('warn', 'delivery marks could not be written yet', { count: batch.length, error: String(error) })
        this.#waiting.unshift(...batch)
        this.#schedule(RETRY_MS)
      }
    })
    return this.#writing
  }
}
