import { type Clock, ClockJumps } from '../runtime/clock.js'
import type { Log } from '../runtime/log-events.js'
import { type LeaseStore, type LedgerStore, logFailedWork, type Store, type SweepReport } from '../store/types.js'

const SWEEP_MS = 5_000
/** Longest time a round removes expired answers, in milliseconds, a bounded number at a time. */
const EXPIRED_MS = 2_000
/** Random part of the time between sweeps. */
const JITTER = 0.4
/** A hold is swept this long after its deadline, in milliseconds. */
const GRACE_MS = 30_000
/** Pause after a clock jump, in milliseconds, so that no hold is released early because of it. */
const PAUSE_MS = 60_000
/** One of several gateways sweeps for all; when it dies another one takes over after this many milliseconds. */
const SWEEPER_LEASE_MS = 15_000

interface SweeperOptions {
  readonly instance: string
  readonly log: Log
  /** From 0 to 1; `Math.random` by default. */
  readonly random?: () => number
}

/** Cleans up after dead gateways: overdue holds, answers that were never delivered. */
export class Sweeper {
  readonly #ledger: LedgerStore
  readonly #leases: LeaseStore
  readonly #clock: Clock
  readonly #jumps: ClockJumps
  readonly #instance: string
  readonly #shared: boolean
  readonly #random: () => number
  readonly #log: Log
  #stop: () => void = () => undefined
  /** Accounts set aside, as reported by the last sweep of this gateway. */
  #aside = new Set<string>()
  #pausedUntil = 0
  #closed = false

  constructor(store: Pick<Store, 'ledger' | 'leases' | 'shared'>, clock: Clock, about: SweeperOptions) {
    this.#ledger = store.ledger
    this.#leases = store.leases
    this.#shared = store.shared
    this.#random = about.random ?? Math.random
    this.#clock = clock
    this.#jumps = new ClockJumps(clock)
    this.#instance = about.instance
    this.#log = about.log
  }

  /**
   * On an unshared store, first sweeps everything that earlier gateways left; on a shared one the sweeps run beside the
   * calls, because there may be much to do. Then continues to sweep.
   */
  async start(): Promise<void> {
    if (!this.#shared) await this.#sweepAll()
    this.#later()
  }

  async #sweepAll(): Promise<void> {
    for (let more = true; more;) {
      const report = await this.#ledger.sweep({ now: this.#clock.now(), graceMs: 0, owner: this.#instance, deadOwners: 'all-but-owner' })
      this.#note(report)
      more = report.released + report.refunded > 0
      if (more) this.#log('holds-released', 'released holds and refunded charges of a previous process', counts(report))
    }
  }

  /** Jitter, so that replicas do not sweep at the same moment. */
  #later(): void {
    this.#stop = this.#clock.after(SWEEP_MS * (1 - JITTER / 2 + JITTER * this.#random()), () => {
      this.sweep()
        .catch((error: unknown) =>
          logFailedWork(this.#log, { event: 'sweep-failed', message: 'the sweep failed and will be tried again', error }),
        )
        .finally(() => {
          if (!this.#closed) this.#later()
        })
    })
  }

  /** Number of accounts set aside; 0 when another gateway sweeps. */
  get aside(): number {
    return this.#aside.size
  }

  /** One round, unless the clock has jumped or another gateway sweeps for all. */
  async sweep(): Promise<void> {
    if (this.#paused()) return
    const now = this.#clock.now()
    if (!(await this.#leases.take('sweeper', this.#instance, now, SWEEPER_LEASE_MS))) {
      this.#aside = new Set()
      return
    }
    const deadOwners = await this.#leases.dead(now)
    const until = this.#clock.monotonic() + EXPIRED_MS
    for (let more = true; more;) {
      const report = await this.#ledger.sweep({ now, graceMs: GRACE_MS, owner: this.#instance, deadOwners })
      this.#note(report)
      if (report.released + report.refunded > 0)
        this.#log('holds-released', 'released expired holds and refunded undelivered charges', counts(report))
      more = report.idempotency > 0 && this.#clock.monotonic() < until && !this.#closed
    }
  }

  /** Logs each account once when it is set aside, and once when it is restored. */
  #note({ aside }: SweepReport): void {
    const before = this.#aside
    this.#aside = new Set(aside.map(({ account }) => account))
    for (const { account, error } of aside)
      if (!before.has(account)) this.#log('account-set-aside', 'account set aside', { account, error })
    for (const account of before) if (!this.#aside.has(account)) this.#log('account-restored', 'account no longer set aside', { account })
  }

  close(): void {
    this.#closed = true
    this.#stop()
  }

  #paused(): boolean {
    const jumped = this.#jumps.detect()
    const monotonic = this.#clock.monotonic()
    if (jumped !== 0) {
      this.#log('clock-jumped', 'the clock jumped; no hold is swept for a minute', { ms: jumped })
      this.#pausedUntil = monotonic + PAUSE_MS
    }
    return monotonic < this.#pausedUntil
  }
}

function counts({ released, refunded, idempotency, leases }: SweepReport): Record<string, number> {
  return { released, refunded, idempotency, leases }
}
