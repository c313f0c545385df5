import { type Clock, ClockJumps } from '../runtime/clock.js'
import type { Log } from '../runtime/log-events.js'
import type { LeaseStore, LedgerStore } from '../store/types.js'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Delay of the first run, in milliseconds: the sweeps after a crash come first. */
const FIRST_MS = 300_000
/** One of several gateways trims for all, under a lease of this length in milliseconds, renewed at half of it. */
const LEASE_MS = 60_000
/** Pause between two trims of one run, in milliseconds, left to the calls. */
const PAUSE_MS = 50

interface RetentionStore {
  readonly ledger: Pick<LedgerStore, 'trim'>
  readonly leases: Pick<LeaseStore, 'take'>
}

interface RetentionOptions {
  readonly instance: string
  /** Days that call details are kept; 0 keeps them permanently. */
  readonly days: number
  readonly log: Log
}

/** Deletes call details older than `history.days`, every hour, in bounded batches, on one of several gateways. */
export class Retention {
  readonly #ledger: Pick<LedgerStore, 'trim'>
  readonly #leases: Pick<LeaseStore, 'take'>
  readonly #instance: string
  readonly #clock: Clock
  readonly #jumps: ClockJumps
  readonly #days: number
  readonly #log: Log
  #stop: () => void = () => undefined
  #wake: () => void = () => undefined
  #running: Promise<void> | null = null
  #closed = false

  constructor(store: RetentionStore, clock: Clock, { instance, days, log }: RetentionOptions) {
    this.#ledger = store.ledger
    this.#leases = store.leases
    this.#instance = instance
    this.#clock = clock
    this.#jumps = new ClockJumps(clock)
    this.#days = days
    this.#log = log
  }

  start(): void {
    if (this.#days === 0) return
    this.#stop = this.#clock.after(FIRST_MS, () => {
      this.#stop = this.#clock.every(HOUR_MS, () => this.#begin())
      this.#begin()
    })
  }

  /** Stops; resolves at the end of a running trim. */
  async close(): Promise<void> {
    this.#closed = true
    this.#stop()
    this.#wake()
    await this.#running
  }

  #begin(): void {
    if (this.#jumped()) return
    this.#running ??= this.#run(this.#clock.now() - this.#days * DAY_MS).finally(() => {
      this.#running = null
    })
  }

  /** Trims until no details are left, or until the store is away: the next hour continues. */
  async #run(before: number): Promise<void> {
    let entries = 0
    try {
      let taken = -Infinity
      for (let more = true; more && !this.#closed;) {
        const now = this.#clock.now()
        if (now - taken >= LEASE_MS / 2) {
          if (!(await this.#leases.take('retention', this.#instance, now, LEASE_MS))) break
          taken = now
        }
        const trimmed = await this.#ledger.trim({ before })
        entries += trimmed
        more = trimmed > 0
        if (more) await this.#pause()
      }
    } catch (error) {
      this.#log('details-not-deleted', 'details of old calls could not be deleted; trying again in an hour', { error: String(error) })
    }
    if (entries > 0) this.#log('details-deleted', 'deleted details of old calls', { entries, older_than_days: this.#days })
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.#clock.after(PAUSE_MS, resolve)
      this.#wake = () => {
        stop()
        resolve()
      }
      if (this.#closed) this.#wake()
    })
  }

  /** True when the clock jumped: it cannot be trusted, and a deletion is final. */
  #jumped(): boolean {
    const ms = this.#jumps.detect()
    if (ms !== 0) this.#log('clock-jumped', 'the clock jumped; no details are deleted for an hour', { ms })
    return ms !== 0
  }
}
