import type { Clock } from '../clock.js'
import type { Log } from '../dispatch/environment.js'
import type { LeaseStore, LedgerStore, Store } from '../store/port.js'

const SWEEP_MS = 5_000
/** Part of the time between sweeps that is left to chance. */
const JITTER = 0.4
/** A hold is swept this long after its deadline, in milliseconds. */
const GRACE_MS = 30_000
/** Clocks that part by more than this stop the sweeping for a minute: no hold may be taken early because a clock jumped. */
const MOST_DRIFT_MS = 5_000
const PAUSE_MS = 60_000

export interface SweeperAbout {
  readonly instance: string
  readonly log: Log
  /** From 0 to 1; `Math.random` by default. */
  readonly random?: () => number
}

/** Cleans up after gateways that died: overdue holds, answers that were never delivered. */
export class Sweeper {
  readonly #ledger: LedgerStore
  readonly #leases: LeaseStore
  readonly #clock: Clock
  readonly #instance: string
  readonly #shared: boolean
  readonly #random: () => number
  readonly #log: Log
  #stop: () => void = () => undefined
  #offset: number
  #pausedUntil = 0
  #closed = false

  constructor(store: Pick<Store, 'ledger' | 'leases' | 'shared'>, clock: Clock, about: SweeperAbout) {
    this.#ledger = store.ledger
    this.#leases = store.leases
    this.#shared = store.shared
    this.#random = about.random ?? Math.random
    this.#clock = clock
    this.#instance = about.instance
    this.#log = about.log
    this.#offset = clock.now() - clock.monotonic()
  }

  /**
   * Where this gateway is alone, sweeps up after every one before it; where others may be at work the sweeps run beside the calls, for
   * there may be much to do. Then goes on sweeping.
   */
  async start(): Promise<void> {
    if (!this.#shared) await this.#sweepAll()
    this.#later()
  }

  async #sweepAll(): Promise<void> {
    for (let more = true; more;) {
      const report = await this.#ledger.sweep({ now: this.#clock.now(), graceMs: 0, owner: this.#instance, deadOwners: 'all-but-owner' })
      more = report.released + report.refunded > 0
      if (more) this.#log('info', 'swept up after an earlier gateway', { ...report })
    }
  }

  /** Replicas that were started together part in time. */
  #later(): void {
    this.#stop = this.#clock.after(SWEEP_MS * (1 - JITTER / 2 + JITTER * this.#random()), () => {
      this.sweep()
        .catch((error: unknown) => this.#log('warn', 'the sweep failed and will be tried again', { error: String(error) }))
        .finally(() => {
          if (!this.#closed) this.#later()
        })
    })
  }

  /** One round, unless the clock has jumped. */
  async sweep(): Promise<void> {
    const now = this.#clock.now()
    if (this.#jumped(now)) return
    const deadOwners = await this.#leases.dead(now)
    const report = await this.#ledger.sweep({ now, graceMs: GRACE_MS, owner: this.#instance, deadOwners })
    if (report.released + report.refunded > 0) this.#log('info', 'swept up after calls that were never finished', { ...report })
  }

  close(): void {
    this.#closed = true
    this.#stop()
  }

  #jumped(now: number): boolean {
    const monotonic = this.#clock.monotonic()
    const offset = now - monotonic
    if (Math.abs(offset - this.#offset) > MOST_DRIFT_MS) {
      this.#log('warn', 'the clock jumped; no hold is swept for a minute', { ms: Math.round(offset - this.#offset) })
      this.#offset = offset
      this.#pausedUntil = monotonic + PAUSE_MS
    }
    return monotonic < this.#pausedUntil
  }
}
