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
  #writing: Promise<void> | null = null

  constructor(ledger: LedgerStore, clock: Clock, log: Log) {
    this.#ledger = ledger
    this.#clock = clock
    this.#log = log
  }

  mark(account: string, hold: string): void {
    this.#waiting.push({ account, ref: hold })
    this.#schedule(BATCH_MS)
  }

  /** While a batch is being written the next one gathers: a slow store gets larger batches, not a longer queue of them. */
  #schedule(ms: number): void {
    if (this.#scheduled || this.#writing !== null) return
    this.#scheduled = true
    this.#clock.after(ms, () => {
      this.#scheduled = false
      this.#begin()
    })
  }

  /** Writes what waits now; resolves when it is durable, or has failed. Marks that could not be written are tried again with the next batch. */
  async flush(): Promise<void> {
    await this.#writing
    this.#begin()
    await this.#writing
  }

  #begin(): void {
    if (this.#writing !== null || this.#waiting.length === 0) return
    const batch = this.#waiting
    this.#waiting = []
    this.#writing = this.#write(batch).then((written) => {
      this.#writing = null
      if (!written) this.#waiting.unshift(...batch)
      if (this.#waiting.length > 0) this.#schedule(written ? BATCH_MS : RETRY_MS)
    })
  }

  async #write(batch: readonly { account: string; ref: string }[]): Promise<boolean> {
    try {
      await this.#ledger.delivered(batch)
      return true
    } catch (error) {
      this.#log('warn', 'delivery marks could not be written yet', { count: batch.length, error: String(error) })
      return false
    }
  }
}
