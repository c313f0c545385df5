import type { Clock } from '../runtime/clock.js'
import type { Log } from '../runtime/log-events.js'
import type { Fault } from '../sdk/index.js'
import { ALONE, type SuspensionPeers } from './suspension-peers.js'
import { logResumed, logSuspended } from './suspension-log.js'
import { unsuspended, type Recent, type SuspensionState } from './suspension-state.js'
import { SUSPENSION_TIMES, type SuspensionTimes } from './suspension-times.js'

/** Whether a provider may be asked. */
type ProviderAdmission = 'go' | 'probe' | 'suspended'

export interface Suspension {
  readonly id: string
  readonly why: string
  /** Unix milliseconds. */
  readonly until: number
  readonly manual: boolean
}

/** What one replica tells another of a suspended provider. */
export interface SharedSuspension {
  readonly why: string
  /** Milliseconds until its time is over, negative when it was over before. */
  readonly msLeft: number
  /** How often in a row it was suspended as broken. */
  readonly rounds: number
}

/** A try of a provider that runs on this machine, whose failures may be the doing of the caller's files. */
export interface LocalTry {
  /** Whose call it was. */
  readonly account: string
  /** The provider's self-check: what is wrong with it, null when it works. Null for a provider that has none. */
  readonly check: (() => Promise<string | null>) | null
}

export interface TimedOut {
  readonly started: number
  readonly telling: boolean
  readonly local?: LocalTry | false
}

/** A try that had no answer. */
interface Unanswered {
  readonly end: 'broken' | 'timeout' | 'outage'
  readonly why: string
  readonly local: LocalTry | false
}

/** A difference between the ends of two suspensions, in milliseconds, that the way through Redis explains. */
const SAME_END_MS = 1_000

/**
 * Which providers are out, why and how long: by kind of failure, not by count alone. Ids are `port/vendor`.
 * When the time is over one call probes; only its success brings the provider back for everybody.
 * A try that began before the provider was last suspended or brought back neither lifts, lengthens nor causes a suspension.
 */
export class Suspensions {
  readonly #clock: Clock
  readonly #times: SuspensionTimes
  readonly #log: Log
  readonly #enabledAccounts: () => Promise<number>
  readonly #states = new Map<string, SuspensionState>()
  #peers = ALONE
  /** Whether only one account is enabled, as counted last, and how long that is believed (monotonic milliseconds). */
  #loneAccount = true
  #countedUntil = -Infinity

  /** `enabledAccounts` counts no further than two. */
  constructor(
    clock: Clock,
    times: SuspensionTimes = SUSPENSION_TIMES,
    log: Log = () => undefined,
    enabledAccounts: () => Promise<number> = () => Promise.resolve(1),
  ) {
    this.#clock = clock
    this.#times = times
    this.#log = log
    this.#enabledAccounts = enabledAccounts
  }

  /** From now on tells and asks other replicas. */
  join(peers: SuspensionPeers): void {
    this.#peers = peers
  }

  /** Ids of providers that are suspended, or were and have not been probed since; none that the operator took out. */
  ids(): string[] {
    return [...this.#states].filter(([, { until, manual }]) => until > 0 && !manual).map(([id]) => id)
  }

  /** A suspended provider as other replicas are told of it; null for one that is not suspended, or by the operator, as the store tells them. */
  shared(id: string): SharedSuspension | null {
    const state = this.#states.get(id)
    if (state === undefined || state.until === 0 || state.manual) return null
    const { why, until, rounds } = state
    return { why, msLeft: until - this.#clock.monotonic(), rounds }
  }

  /** Takes over what another replica decided, null when it brought the provider back. Is not told on. The operator's word stands over it. */
  adopt(id: string, shared: SharedSuspension | null): void {
    if (this.#states.get(id)?.manual === true) return
    if (shared === null) return this.#restore(id)
    const state = this.#state(id)
    const { why, msLeft, rounds } = shared
    const now = this.#clock.monotonic()
    // Never 0, which would mean not suspended.
    const until = Math.max(Number.EPSILON, now + msLeft)
    // What this replica told itself comes back with an end that differs a little, and its probe goes on.
    if (state.until === 0 || until > state.until + SAME_END_MS)
      Object.assign(state, { since: now, probeUntil: 0, recent: [], early: false })
    Object.assign(state, { why, until, rounds })
    this.#report(id, state)
  }

  /** Whether the provider may be asked now. A `probe` is the one call that finds out; it must be reported. */
  admit(id: string): ProviderAdmission {
    const state = this.#states.get(id)
    if (state === undefined || state.until === 0) return 'go'
    const now = this.#clock.monotonic()
    if (now < state.until || state.manual || now < state.probeUntil || !(state.early || this.#peers.mayProbe(id))) return 'suspended'
    state.probeUntil = now + this.#times.probe
    return 'probe'
  }

  /** The probe still runs: until it has ended, or is not heard of for its time, nobody else probes. */
  renew(id: string): void {
    const state = this.#states.get(id)
    if (state === undefined || state.probeUntil === 0) return
    state.probeUntil = this.#clock.monotonic() + this.#times.probe
    this.#peers.renewed(id)
  }

  /** Whether the provider is out now; takes no probe away. */
  isOut(id: string): boolean {
    const state = this.#states.get(id)
    return state !== undefined && (state.manual || this.#clock.monotonic() < state.until)
  }

  /** Admits the call whatever the state: the one probe that goes out when every provider is suspended. */
  force(id: string): void {
    const state = this.#states.get(id)
    if (state !== undefined) state.probeUntil = this.#clock.monotonic() + this.#times.probe
  }

  /** Of suspended providers, the one whose time is over first; operators' suspensions are left alone. */
  soonest(ids: readonly string[]): string | undefined {
    const now = this.#clock.monotonic()
    let best: string | undefined
    let bestUntil = Infinity
    for (const id of ids) {
      const state = this.#states.get(id)
      if (state === undefined || state.manual || now < state.probeUntil || state.until >= bestUntil) continue
      best = id
      bestUntil = state.until
    }
    return best
  }

  /**
   * Ends the time of `others` that were broken or timed out, so that their next call probes, when `id` is back that was asked because all of
   * them were out: what took all out at once, such as the network of the gateway, is likely to be over for all.
   */
  recovered(id: string, others: readonly string[]): void {
    if ((this.#states.get(id)?.until ?? 0) > 0) return
    const now = this.#clock.monotonic()
    for (const other of others) {
      const state = this.#states.get(other)
      if (state === undefined || state.manual || state.rounds === 0 || state.until <= now) continue
      // Never 0, which would mean not suspended.
      Object.assign(state, { until: Math.max(Number.EPSILON, now), early: true })
    }
  }

  /** A try that was given up says nothing: if it was the probe, the next call probes. `started` as for `succeeded`. */
  abandoned(id: string, started: number): void {
    const state = this.#current(id, started)
    if (state === undefined || state.probeUntil === 0) return
    state.probeUntil = 0
    this.#peers.abandoned(id)
  }

  /** The try that began at `started` (monotonic milliseconds) had a result. */
  succeeded(id: string, started: number): void {
    this.#answered(id, started)
  }

  /**
   * Counts a failure of a try that began at `started` (monotonic milliseconds). `broken` suspends when five of the last ten tries were;
   * `missing`, `blocked` and `invalid` are answers. A local provider is only ever taken out by its own breakage, not by being busy: by failures in the
   * calls of two accounts (of one, where no other is enabled), and only when its self-check fails too. Accounts are those of this process.
   */
  failed(id: string, fault: Fault, { started, local }: { readonly started: number; readonly local: LocalTry | false }): void {
    const times = this.#times
    switch (fault.kind) {
      case 'invalid':
      case 'missing':
      case 'blocked':
        // The vendor answered sensibly, so whatever it was suspended for is over.
        return this.#answered(id, started)
      case 'busy': {
        if (local !== false) return this.#answered(id, started)
        const asked = fault.retryAfterSeconds === undefined ? times.busy : fault.retryAfterSeconds * 1000
        return this.#suspend(id, started, { ms: Math.min(asked, times.busyMost), why: fault.message })
      }
      case 'quota':
      case 'credentials':
        // A program of this machine has no account with anybody; a file that took it over may say so.
        if (local !== false) return this.#count(id, started, { end: 'broken', why: fault.message, local })
        return this.#suspend(id, started, { ms: times[fault.kind], why: fault.message })
      case 'broken':
        return this.#count(id, started, { end: 'broken', why: fault.message, local })
    }
  }

  /**
   * Counts a try that began at `started` (monotonic milliseconds) and used up its whole limit while another provider of its port was live.
   * A `telling` one suspends at once, for 30 s and twice as long after each failed probe, at most 10 min. Others suspend only when each of the last ten
   * tries was broken or timed out; those of local providers as `failed` says.
   */
  timedOut(id: string, fault: Fault, { started, telling, local = false }: TimedOut): void {
    this.#count(id, started, { end: telling ? 'outage' : 'timeout', why: fault.message, local })
  }

  /** Takes a provider out by hand, until resumed. Other replicas have it from the store. */
  suspend(id: string, why: string): void {
    const state = this.#state(id)
    const known = state.manual && state.why === why
    Object.assign(state, { why, until: Infinity, manual: true, since: this.#clock.monotonic(), recent: [] })
    if (!known) this.#report(id, state)
  }

  /** The operator's suspensions as they stand in the store, reasons by id: these are out, and others are no longer out by hand. */
  standing(byHand: ReadonlyMap<string, string>): void {
    for (const [id, { manual }] of this.#states) if (manual && !byHand.has(id)) this.#restore(id)
    for (const [id, why] of byHand) this.suspend(id, why)
  }

  /** Brings a provider back at once. False when it was not suspended. */
  resume(id: string): boolean {
    const suspended = (this.#states.get(id)?.until ?? 0) > 0
    this.#restore(id)
    // Also when nothing is known of it here: another replica may have suspended it a moment ago.
    this.#peers.changed(id)
    return suspended
  }

  list(): Suspension[] {
    const monotonic = this.#clock.monotonic()
    const now = this.#clock.now()
    return [...this.#states]
      .filter(([, state]) => state.until > monotonic)
      .map(([id, state]) => ({ id, why: state.why, until: now + (state.until - monotonic), manual: state.manual }))
  }

  #state(id: string): SuspensionState {
    let state = this.#states.get(id)
    if (state === undefined) {
      state = { ...unsuspended(), since: -Infinity }
      this.#states.set(id, state)
    }
    return state
  }

  /** The state a try that began at `started` may change; undefined when there is none or the try began before it. */
  #current(id: string, started: number): SuspensionState | undefined {
    const state = this.#states.get(id)
    return state === undefined || started < state.since ? undefined : state
  }

  #restore(id: string): void {
    const state = this.#states.get(id)
    if (state === undefined) return
    this.#states.set(id, { ...unsuspended(), since: this.#clock.monotonic() })
    if (state.until === 0) return
    logResumed(this.#log, id)
  }

  #answered(id: string, started: number): void {
    const state = this.#current(id, started)
    if (state === undefined || state.manual) return
    if (state.until === 0) return this.#remember(state, { end: 'answered', account: '' })
    this.#restore(id)
    this.#peers.changed(id)
  }

  #suspend(id: string, started: number, { ms, why }: { ms: number; why: string }): void {
    const state = this.#state(id)
    if (state.manual || started < state.since) return
    const since = this.#clock.monotonic()
    const until = since + ms
    // A try of the same moment may fail for a lesser reason; the longer time stands.
    Object.assign(state, until < state.until ? { probeUntil: 0 } : { why, until, since, probeUntil: 0, recent: [], early: false })
    this.#report(id, state)
    this.#peers.changed(id)
  }

  #report(id: string, { why, until, manual }: SuspensionState): void {
    logSuspended(this.#log, id, { why, seconds: manual ? null : Math.round((until - this.#clock.monotonic()) / 1000) })
  }

  /** Counts a try without an answer; suspends, each time in a row for twice as long, when these were too many or it is an outage. */
  #count(id: string, started: number, unanswered: Unanswered): void {
    const { end, why, local } = unanswered
    const state = this.#state(id)
    const now = this.#clock.monotonic()
    if (started < state.since) return
    // Of a suspended provider only a probe's failure makes the time longer.
    if (now < state.until && now >= state.probeUntil) return
    if (state.until === 0 && end !== 'outage') {
      this.#remember(state, { end, account: local === false ? '' : local.account })
      if (!this.#tooMany(state)) return
    }
    if (local === false) this.#prolong(id, started, why)
    else void this.#examine(id, started, { why, local })
  }

  #prolong(id: string, started: number, why: string): void {
    const state = this.#state(id)
    const ms = Math.min(this.#times.broken * 2 ** state.rounds, this.#times.brokenMost)
    state.rounds++
    this.#suspend(id, started, { ms, why })
  }

  /** Suspends a local provider that failed too often, or whose probe failed, unless it was one account's doing or its self-check passes, which brings it back. */
  async #examine(id: string, started: number, { why, local: { account, check } }: { why: string; local: LocalTry }): Promise<void> {
    const state = this.#state(id)
    if (state.checking || this.#clock.monotonic() < state.checkedUntil) return
    state.checking = true
    try {
      if (state.until === 0 && !(await this.#severalFail(state, account))) return
      const failure = check === null ? why : await check()
      // Resumed, or suspended by another replica or the operator, while the check ran.
      if (this.#states.get(id) !== state || started < state.since || state.manual) return
      if (failure !== null) return this.#prolong(id, started, failure)
      this.#log('provider-works', `provider ${id} failed in several calls, and its self-check passed: it stays in use`, {
        provider: id,
        why,
      })
      if (state.until > 0) {
        this.#restore(id)
        this.#peers.changed(id)
      }
      Object.assign(this.#state(id), { recent: [], checkedUntil: this.#clock.monotonic() + this.#times.broken })
    } catch (error) {
      this.#log('provider-check-failed', `the self-check of provider ${id} could not be run: it is not suspended for now`, {
        provider: id,
        error: String(error),
      })
    } finally {
      state.checking = false
    }
  }

  /** Whether the failures are of two accounts, or no second account is enabled. */
  async #severalFail({ recent }: SuspensionState, account: string): Promise<boolean> {
    if (recent.some((one) => one.end !== 'answered' && one.account !== account)) return true
    const now = this.#clock.monotonic()
    if (now >= this.#countedUntil) {
      this.#loneAccount = (await this.#enabledAccounts()) < 2
      this.#countedUntil = now + this.#times.broken
    }
    return this.#loneAccount
  }

  #tooMany({ recent }: SuspensionState): boolean {
    const { brokenTries, window } = this.#times
    if (recent.filter(({ end }) => end === 'broken').length >= brokenTries) return true
    return recent.length === window && !recent.some(({ end }) => end === 'answered')
  }

  #remember(state: SuspensionState, recent: Recent): void {
    state.recent.push(recent)
    if (state.recent.length > this.#times.window) state.recent.shift()
  }
}
