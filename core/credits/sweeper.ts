import type { Clock } from '../clock.js'
import type { Log } from '../dispatch/environment.js'
import type { LeaseStore, LedgerStore } from '../store/port.js'

const SWEEP_MS = 5_000
const LEASE_MS = 20_000
/** A hold is swept this long after its deadline, in milliseconds. */
const GRACE_MS = 30_000
/** Clocks that part by more than this stop the sweeping for a minute: no hold may be taken early because a clock jumped. */
const MOST_DRIFT_MS = 5_000
const PAUSE_MS = 60_000

/** Keeps this gateway's lease and cleans up after gateways that died: overdue holds, answers that were never delivered. */
export class Sweeper {
  readonly #ledger: LedgerStore
  readonly #leases: LeaseStore
  readonly #clock: Clock
  readonly #instance: string
  readonly #log: Log
  #stop: () => void = () => undefined
  #offset: number
  #pausedUntil = 0

  constructor(store: { ledger: LedgerStore; leases: LeaseStore }, clock: Clock, about: { instance: string; log: Log }) {
    this.#ledger = store.ledger
    this.#leases = store.leases
    this.#clock = clock
    this.#instance = about.instance
    this.#log = about.log
    this.#offset = clock.now() - clock.monotonic()
  }

  /** Takes the lease and sweeps up after every gateway before this one, then goes on sweeping. */
  async start(): Promise<void> {
    const now = this.#clock.now()
    await this.#leases.renew(this.#instance, now, LEASE_MS)
    for (let more = true; more;) {
      const report = await this.#ledger.sweep({ now, graceMs: 0, owner: this.#instance, deadOwners: 'all-but-owner' })
      more = report.released + report.refunded > 0
      if (more) this.#log('info', 'swept up after an earlier gateway', { ...report })
    }
    this.#stop = this.#clock.every(SWEEP_MS, () => {
      this.sweep().catch((error: unknown) => this.#log('warn', 'the sweep failed and will be tried again', { error: String(error) }))
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
