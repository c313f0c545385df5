import type { Clock } from '../clock.js'
import type { Fault } from '../sdk/index.js'

/** How long each kind of failure takes a provider out, in milliseconds. */
export interface SuspensionTimes {
  readonly busy: number
  readonly busyMost: number
  readonly quota: number
  readonly credentials: number
  readonly broken: number
  readonly brokenMost: number
  /** Broken replies in a row before it counts. */
  readonly brokenInARow: number
  /** A probe that has not ended by then no longer stands in the way of the next. */
  readonly probe: number
}

export const SUSPENSION_TIMES: SuspensionTimes = {
  busy: 5_000,
  busyMost: 60_000,
  quota: 3_600_000,
  credentials: 3_600_000,
  broken: 30_000,
  brokenMost: 600_000,
  brokenInARow: 5,
  probe: 30_000,
}

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
  /** Milliseconds until its time is over, negative when it was over before; Infinity for an operator's. */
  readonly msLeft: number
  readonly manual: boolean
  /** How often in a row it was suspended as broken. */
  readonly rounds: number
}

/** Other replicas. They are told and asked here and answer later, so that no call waits for them. */
export interface SuspensionPeers {
  /** A provider was suspended or brought back here; `byHand` by the operator, whose word counts over any other. */
  changed(id: string, byHand: boolean): void
  /** Whether this replica may send the probe now. */
  mayProbe(id: string): boolean
  /** This replica's probe was given up. */
  abandoned(id: string): void
}

const ALONE: SuspensionPeers = { changed: () => undefined, mayProbe: () => true, abandoned: () => undefined }

interface State {
  why: string
  /** Monotonic milliseconds; 0 when not suspended. */
  until: number
  manual: boolean
  brokenInARow: number
  /** How often in a row it was suspended as broken, for the growing time. */
  rounds: number
  probeUntil: number
}

/**
 * Which providers are out, why and how long: by kind of failure, not by count alone. Ids are `port/vendor`.
 * When the time is over one call probes; only its success brings the provider back for everybody.
 */
export class Suspensions {
  readonly #clock: Clock
  readonly #times: SuspensionTimes
  readonly #states = new Map<string, State>()
  #peers = ALONE

  constructor(clock: Clock, times: SuspensionTimes = SUSPENSION_TIMES) {
    this.#clock = clock
    this.#times = times
  }

  /** From now on tells and asks other replicas. */
  join(peers: SuspensionPeers): void {
    this.#peers = peers
  }

  /** Ids of providers that are suspended, or were and have not been probed since. */
  ids(): string[] {
    return [...this.#states].filter(([, { until }]) => until > 0).map(([id]) => id)
  }

  /** A suspended provider as other replicas are told of it; null for one that is not suspended. */
  shared(id: string): SharedSuspension | null {
    const state = this.#states.get(id)
    if (state === undefined || state.until === 0) return null
    const { why, until, manual, rounds } = state
    return { why, msLeft: until - this.#clock.monotonic(), manual, rounds }
  }

  /** Takes over what another replica decided, null when it brought the provider back. Is not told on. */
  adopt(id: string, shared: SharedSuspension | null): void {
    if (shared === null) return void this.#states.delete(id)
    const state = this.#state(id)
    const { why, msLeft, manual, rounds } = shared
    // Never 0, which would mean not suspended.
    const until = manual ? Infinity : Math.max(Number.EPSILON, this.#clock.monotonic() + msLeft)
    if (until > state.until) state.probeUntil = 0
    Object.assign(state, { why, until, manual, rounds })
  }

  /** Whether the provider may be asked now. A `probe` is the one call that finds out; it must be reported. */
  admit(id: string): 'go' | 'probe' | 'suspended' {
    const state = this.#states.get(id)
    if (state === undefined || state.until === 0) return 'go'
    const now = this.#clock.monotonic()
    if (now < state.until || state.manual || now < state.probeUntil || !this.#peers.mayProbe(id)) return 'suspended'
    state.probeUntil = now + this.#times.probe
    return 'probe'
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

  /** A try that was given up says nothing: if it was the probe, the next call probes. */
  abandoned(id: string): void {
    const state = this.#states.get(id)
    if (state === undefined || state.probeUntil === 0) return
    state.probeUntil = 0
    this.#peers.abandoned(id)
  }

  succeeded(id: string): void {
    this.#bringBack(id)
  }

  /** Counts a failure. A local provider is only ever taken out by its own breakage, not by being busy. */
  failed(id: string, fault: Fault, local: boolean): void {
    const times = this.#times
    switch (fault.kind) {
      case 'invalid':
      case 'missing':
      case 'blocked':
        // The vendor answered sensibly, so whatever it was suspended for is over.
        return this.#bringBack(id)
      case 'busy': {
        if (local) return this.#bringBack(id)
        const asked = fault.retryAfterSeconds === undefined ? times.busy : fault.retryAfterSeconds * 1000
        return this.#suspend(id, Math.min(asked, times.busyMost), fault.message)
      }
      case 'quota':
        return this.#suspend(id, times.quota, fault.message)
      case 'credentials':
        return this.#suspend(id, times.credentials, fault.message)
      case 'broken':
        return this.#broken(id, fault.message)
    }
  }

  /** Takes a provider out by hand, until resumed. */
  suspend(id: string, why: string): void {
    Object.assign(this.#state(id), { why, until: Infinity, manual: true })
    this.#peers.changed(id, true)
  }

  /** Brings a provider back at once. False when it was not suspended. */
  resume(id: string): boolean {
    const suspended = (this.#states.get(id)?.until ?? 0) > 0
    this.#states.delete(id)
    // Also when nothing is known of it here: another replica may have suspended it a moment ago.
    this.#peers.changed(id, true)
    return suspended
  }

  list(): Suspension[] {
    const monotonic = this.#clock.monotonic()
    const now = this.#clock.now()
    return [...this.#states]
      .filter(([, state]) => state.until > monotonic)
      .map(([id, state]) => ({ id, why: state.why, until: now + (state.until - monotonic), manual: state.manual }))
  }

  #state(id: string): State {
    let state = this.#states.get(id)
    if (state === undefined) {
      state = { why: '', until: 0, manual: false, brokenInARow: 0, rounds: 0, probeUntil: 0 }
      this.#states.set(id, state)
    }
    return state
  }

  #bringBack(id: string): void {
    const state = this.#states.get(id)
    if (state === undefined || state.manual) return
    this.#states.delete(id)
    if (state.until > 0) this.#peers.changed(id, false)
  }

  #suspend(id: string, ms: number, why: string): void {
    const state = this.#state(id)
    if (state.manual) return
    const until = this.#clock.monotonic() + ms
    // A call that was already running may fail for a lesser reason; the longer time stands.
    Object.assign(state, until < state.until ? { probeUntil: 0 } : { why, until, probeUntil: 0 })
    this.#peers.changed(id, false)
  }

  #broken(id: string, why: string): void {
    const state = this.#state(id)
    const now = this.#clock.monotonic()
    // Failures of calls that were already running say nothing new: only a probe's makes the time longer.
    if (now < state.until && now >= state.probeUntil) return
    state.brokenInARow++
    const probing = state.until > 0
    if (!probing && state.brokenInARow < this.#times.brokenInARow) return
    const ms = Math.min(this.#times.broken * 2 ** state.rounds, this.#times.brokenMost)
    state.rounds++
    this.#suspend(id, ms, why)
  }
}
