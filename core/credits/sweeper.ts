import type { Clock } from '../clock.js'
import type { Log } from '../dispatch/environment.js'
import type { LeaseStore, LedgerStore, Store } from '../store/port.js'

const SWEEP_MS = 5_000
/** Part of the time between sweeps that is left to chance. */
const JITTER = 0.4
const LEASE_MS = 20_000
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

/** Keeps this gateway's lease and cleans up after gateways that died: overdue holds, answers that were never delivered. */
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

  /** Takes the lease and sweeps up after the gateways that are gone, which are all others where the store is not shared; then goes on sweeping. */
  async start(): Promise<void> {
    const now = this.#clock.now()
    await this.#leases.renew(this.#instance, now, LEASE_MS)
    for (let more = true; more;) {
      const deadOwners = this.#shared ? await this.#leases.dead(now) : 'all-but-owner'
      const graceMs = this.#shared ? GRACE_MS : 0
      const report = await this.#ledger.sweep({ now, graceMs, owner: this.#instance, deadOwners })
      more = report.released + report.refunded > 0
      if (more) this.#log('info', 'swept up after an earlier gateway', { ...report })
    }
    this.#later()
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

  /** One round: renew the lease, then sweep unless the clock has jumped. */
  async sweep(): Promise<void> {
    const now = this.#clock.now()
    await this.#leases.renew(this.#instance, now, LEASE_MS)
    if (this.#jumped(now)) return
    await this.#ledger.sweep({ now, graceMs: GRACE_MS, owner: this.#instance, deadOwners: await this.#leases.dead(now) })
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#stop()
    await this.#leases.end(this.#instance)
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
