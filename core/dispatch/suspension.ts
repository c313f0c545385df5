import type { Clock } from '../runtime/clock.js'
import type { Log } from '../runtime/log-events.js'
import type { Fault } from '../sdk/index.js'

/** Suspension times by kind of failure, in milliseconds. */
interface SuspensionTimes {
  readonly busy: number
  readonly busyMost: number
  readonly quota: number
  readonly credentials: number
  readonly broken: number
  readonly brokenMost: number
  /** Number of broken tries among the last `window` that suspends. */
  readonly brokenTries: number
  /** Number of latest tries that count. */
  readonly window: number
  /** A probe without renewal for this long counts as lost. */
  readonly probe: number
}

export const SUSPENSION_TIMES: SuspensionTimes = {
  busy: 5_000,
  busyMost: 60_000,
  quota: 3_600_000,
  credentials: 3_600_000,
  broken: 30_000,
  brokenMost: 600_000,
  brokenTries: 5,
  window: 10,
  probe: 30_000,
}

/** The outcome of a try and the account of its call; the account is empty where it is not needed. */
interface RecentTry {
  readonly end: 'answered' | 'broken' | 'timeout'
  readonly account: string
}

/** The suspension state of one provider. */
interface SuspensionState {
  why: string
  /** Monotonic milliseconds; 0 when not suspended. */
  until: number
  /** When it was last suspended or resumed, monotonic milliseconds: outcomes of tries that began before are ignored. */
  since: number
  manual: boolean
  /** Outcomes of the latest tries, oldest first. Empty while it is suspended. */
  recent: RecentTry[]
  /** Number of consecutive suspensions as broken, for the backoff. */
  rounds: number
  probeUntil: number
  /** The suspension was ended early, on this replica only. */
  early: boolean
  /** Its self-check is running. */
  checking: boolean
  /** Monotonic milliseconds before which a self-check that passed is not repeated. */
  checkedUntil: number
}

/** The state of a provider without failures. */
function unsuspended(): Omit<SuspensionState, 'since'> {
  return { why: '', until: 0, manual: false, recent: [], rounds: 0, probeUntil: 0, early: false, checking: false, checkedUntil: 0 }
}

/** The other replicas. Nothing here blocks: messages are sent in the background, so that no call waits for them. */
export interface SuspensionPeers {
  /** A provider was suspended or resumed here. */
  changed(id: string): void
  /** Whether this replica may send the probe now. */
  mayProbe(id: string): boolean
  /** This replica's probe still runs. */
  renewed(id: string): void
  /** This replica's probe was abandoned. */
  abandoned(id: string): void
}

/** No other replica. */
const ALONE: SuspensionPeers = {
  changed: () => undefined,
  mayProbe: () => true,
  renewed: () => undefined,
  abandoned: () => undefined,
}

/** Whether a provider may be called. */
type ProviderAdmission = 'go' | 'probe' | 'suspended'

export interface Suspension {
  readonly id: string
  readonly why: string
  /** Unix milliseconds. */
  readonly until: number
  readonly manual: boolean
}

/** A suspension as replicas exchange it. */
export interface SharedSuspension {
  readonly why: string
  /** Milliseconds until it ends; negative when it has ended. */
  readonly msLeft: number
  /** Number of consecutive suspensions as broken. */
  readonly rounds: number
}

/** A try of a provider that runs on this machine, whose failures may be caused by the caller's files. */
export interface LocalTry {
  /** The account of the call. */
  readonly account: string
  /** The provider's self-check: resolves to its failure, null when it works. Null for a provider without one. */
  readonly check: (() => Promise<string | null>) | null
}

export interface TimedOut {
  readonly started: number
  readonly conclusive: boolean
  readonly local?: LocalTry | false
}

/** A try without an answer. */
interface Unanswered {
  readonly end: 'broken' | 'timeout' | 'outage'
  readonly why: string
  readonly local: LocalTry | false
}

/** Difference between the ends of one suspension that the delay through Redis explains, in milliseconds. */
const SAME_END_MS = 1_000

/**
 * Suspended providers with reason and end, by kind of failure, not by count alone. Ids are `port/vendor`.
 * When a suspension expires one call probes; only its success resumes the provider for all calls.
 * A try that began before the provider was last suspended or resumed neither lifts, extends nor causes a suspension.
 */
export class Suspensions {
  readonly #clock: Clock
  readonly #times: SuspensionTimes
  readonly #log: Log
  readonly #enabledAccounts: () => Promise<number>
  readonly #states = new Map<string, SuspensionState>()
  #peers = ALONE
  /** Whether only one account is enabled, as last counted, and how long that count is valid (monotonic milliseconds). */
  #loneAccount = true
  #countedUntil = -Infinity

  /** `enabledAccounts` may stop counting at two. */
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

  /** Connects the other replicas. */
  join(peers: SuspensionPeers): void {
    this.#peers = peers
  }

  /** Ids of providers that are suspended or await a probe; without the operator's suspensions. */
  ids(): string[] {
    return [...this.#states].filter(([, { until, manual }]) => until > 0 && !manual).map(([id]) => id)
  }

  /** A suspension for other replicas; null if not suspended or by the operator, which replicas read from the store. */
  shared(id: string): SharedSuspension | null {
    const state = this.#states.get(id)
    if (state === undefined || state.until === 0 || state.manual) return null
    const { why, until, rounds } = state
    return { why, msLeft: until - this.#clock.monotonic(), rounds }
  }

  /** Applies another replica's decision; null: resumed. Not forwarded. The operator's suspension takes precedence. */
  adopt(id: string, shared: SharedSuspension | null): void {
    if (this.#states.get(id)?.manual === true) return
    if (shared === null) return this.#restore(id)
    const state = this.#state(id)
    const { why, msLeft, rounds } = shared
    const now = this.#clock.monotonic()
    // Never 0, which would mean not suspended.
    const until = Math.max(Number.EPSILON, now + msLeft)
    // This replica's own entry returns with a slightly different end, and its probe continues.
    if (state.until === 0 || until > state.until + SAME_END_MS)
      Object.assign(state, { since: now, probeUntil: 0, recent: [], early: false })
    Object.assign(state, { why, until, rounds })
    this.#report(id, state)
  }

  /** Whether the provider may be called now. The outcome of a `probe` must be reported. */
  admit(id: string): ProviderAdmission {
    const state = this.#states.get(id)
    if (state === undefined || state.until === 0) return 'go'
    const now = this.#clock.monotonic()
    if (now < state.until || state.manual || now < state.probeUntil || !(state.early || this.#peers.mayProbe(id))) return 'suspended'
    state.probeUntil = now + this.#times.probe
    return 'probe'
  }

  /** Renews the claim of a running probe: until it has ended or its claim expires, no other call probes. */
  renew(id: string): void {
    const state = this.#states.get(id)
    if (state === undefined || state.probeUntil === 0) return
    state.probeUntil = this.#clock.monotonic() + this.#times.probe
    this.#peers.renewed(id)
  }

  /** Whether the provider is suspended now; claims no probe. */
  isSuspended(id: string): boolean {
    const state = this.#states.get(id)
    return state !== undefined && (state.manual || this.#clock.monotonic() < state.until)
  }

  /** Admits a call in any state: the single probe when every provider is suspended. */
  force(id: string): void {
    const state = this.#states.get(id)
    if (state !== undefined) state.probeUntil = this.#clock.monotonic() + this.#times.probe
  }

  /** The suspended provider whose suspension ends first; operators' suspensions are ignored. */
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
   * Ends the suspensions of `others` that were broken or timed out, so that their next call probes, once `id`, called
   * because all were suspended, has recovered: a common cause, such as the gateway's network, is likely to have ended.
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

  /** An abandoned try is no evidence: if it was the probe, the next call probes. `started` as for `succeeded`. */
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
   * Counts a failure of a try that began at `started` (monotonic milliseconds). `broken` suspends when five of the last
   * ten tries were; `missing`, `blocked` and `invalid` are answers. A local provider is suspended only as broken: after
   * failures for two accounts of this process (one, where no other is enabled), and when its self-check fails too.
   */
  failed(id: string, fault: Fault, { started, local }: { readonly started: number; readonly local: LocalTry | false }): void {
    const times = this.#times
    switch (fault.kind) {
      case 'invalid':
      case 'missing':
      case 'blocked':
        // A valid answer of the vendor ends its suspension.
        return this.#answered(id, started)
      case 'busy': {
        if (local !== false) return this.#answered(id, started)
        const wanted = fault.retryAfterSeconds === undefined ? times.busy : fault.retryAfterSeconds * 1000
        return this.#suspend(id, started, { ms: Math.min(wanted, times.busyMost), why: fault.message })
      }
      case 'quota':
      case 'credentials':
        // A local program has no vendor account; only a file that compromised it reports this.
        if (local !== false) return this.#count(id, started, { end: 'broken', why: fault.message, local })
        return this.#suspend(id, started, { ms: times[fault.kind], why: fault.message })
      case 'broken':
        return this.#count(id, started, { end: 'broken', why: fault.message, local })
    }
  }

  /**
   * Counts a timeout of a try that began at `started` (monotonic milliseconds) while another provider of its port was
   * live. A `conclusive` one suspends at once, for 30 s and twice as long after each failed probe, at most 10 min. Others
   * suspend only when each of the last ten tries was broken or timed out; local providers as for `failed`.
   */
  timedOut(id: string, fault: Fault, { started, conclusive, local = false }: TimedOut): void {
    this.#count(id, started, { end: conclusive ? 'outage' : 'timeout', why: fault.message, local })
  }

  /** Suspends a provider for the operator, until resumed. Other replicas read it from the store. */
  suspend(id: string, why: string): void {
    const state = this.#state(id)
    const known = state.manual && state.why === why
    Object.assign(state, { why, until: Infinity, manual: true, since: this.#clock.monotonic(), recent: [] })
    if (!known) this.#report(id, state)
  }

  /** Applies the operator's suspensions from the store, reasons by id, and lifts those that are no longer there. */
  setManual(reasons: ReadonlyMap<string, string>): void {
    for (const [id, { manual }] of this.#states) if (manual && !reasons.has(id)) this.#restore(id)
    for (const [id, why] of reasons) this.suspend(id, why)
  }

  /** Resumes a provider at once. False when it was not suspended. */
  resume(id: string): boolean {
    const suspended = (this.#states.get(id)?.until ?? 0) > 0
    this.#restore(id)
    // Also without a state here: another replica may have just suspended it.
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

  /** The state that a try begun at `started` may change; undefined when there is none or it is newer than the try. */
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
    // Concurrent tries may fail for different reasons; the longer suspension wins.
    Object.assign(state, until < state.until ? { probeUntil: 0 } : { why, until, since, probeUntil: 0, recent: [], early: false })
    this.#report(id, state)
    this.#peers.changed(id)
  }

  #report(id: string, { why, until, manual }: SuspensionState): void {
    logSuspended(this.#log, id, { why, seconds: manual ? null : Math.round((until - this.#clock.monotonic()) / 1000) })
  }

  /** Counts a try without an answer; suspends on an outage or too many, twice as long each consecutive time. */
  #count(id: string, started: number, unanswered: Unanswered): void {
    const { end, why, local } = unanswered
    const state = this.#state(id)
    const now = this.#clock.monotonic()
    if (started < state.since) return
    // Only a probe's failure extends a suspension.
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

  /**
   * Suspends a local provider that failed too often or whose probe failed, unless one account caused all failures or its
   * self-check passes, which resumes it.
   */
  async #examine(id: string, started: number, { why, local: { account, check } }: { why: string; local: LocalTry }): Promise<void> {
    const state = this.#state(id)
    if (state.checking || this.#clock.monotonic() < state.checkedUntil) return
    state.checking = true
    try {
      if (state.until === 0 && !(await this.#severalFail(state, account))) return
      const failure = check === null ? why : await check()
      // Resumed, or suspended by another replica or the operator, during the check.
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

  #remember(state: SuspensionState, recent: RecentTry): void {
    state.recent.push(recent)
    if (state.recent.length > this.#times.window) state.recent.shift()
  }
}

/** Logs a suspension: for `seconds`, or with null until the operator resumes it. */
function logSuspended(log: Log, id: string, { why, seconds }: { readonly why: string; readonly seconds: number | null }): void {
  const { port, provider } = placeOf(id)
  const howLong = seconds === null ? 'until it is resumed' : `for ${seconds} s`
  const fields = seconds === null ? { manual: true } : { seconds }
  log('provider-suspended', `provider ${provider} of ${port} is suspended ${howLong}: ${why}`, { port, provider, ...fields })
}

/** Logs that a provider was resumed. */
function logResumed(log: Log, id: string): void {
  const { port, provider } = placeOf(id)
  log('provider-resumed', `provider ${provider} of ${port} is resumed`, { port, provider })
}

/** Splits an id into port and vendor. */
function placeOf(id: string): { readonly port: string; readonly provider: string } {
  const at = id.lastIndexOf('/')
  return { port: id.slice(0, at), provider: id.slice(at + 1) }
}
