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

  constructor(clock: Clock, times: SuspensionTimes = SUSPENSION_TIMES) {
    this.#clock = clock
    this.#times = times
  }

  /** Whether the provider may be asked now. A `probe` is the one call that finds out; it must be reported. */
  admit(id: string): 'go' | 'probe' | 'suspended' {
    const state = this.#states.get(id)
    if (state === undefined || state.until === 0) return 'go'
    const now = this.#clock.monotonic()
    if (now < state.until || state.manual || now < state.probeUntil) return 'suspended'
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
    if (state !== undefined) state.probeUntil = 0
  }

  succeeded(id: string): void {
    const state = this.#states.get(id)
    if (state !== undefined && !state.manual) this.#states.delete(id)
  }

  /** Counts a failure. A local provider is only ever taken out by its own breakage, not by being busy. */
  failed(id: string, fault: Fault, local: boolean): void {
    const times = this.#times
    switch (fault.kind) {
      case 'invalid':
      case 'missing':
      case 'blocked':
        return this.#endProbe(id)
      case 'busy': {
        if (local) return this.#endProbe(id)
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
  }

  /** Brings a provider back at once. False when it was not suspended. */
  resume(id: string): boolean {
    const suspended = (this.#states.get(id)?.until ?? 0) > 0
    this.#states.delete(id)
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

  #endProbe(id: string): void {
    const state = this.#states.get(id)
    // The vendor answered sensibly, so whatever it was suspended for is over.
    if (state !== undefined && !state.manual) this.#states.delete(id)
  }

  #suspend(id: string, ms: number, why: string): void {
    const state = this.#state(id)
    if (state.manual) return
    const until = this.#clock.monotonic() + ms
    // A call that was already running may fail for a lesser reason; the longer time stands.
    Object.assign(state, until < state.until ? { probeUntil: 0 } : { why, until, probeUntil: 0 })
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
