import { Cancel } from '../runtime/cancel.js'
import type { LoadedProvider } from '../loader/types.js'
import { Fault } from '../sdk/index.js'
import { attemptOf, CallState } from './call.js'
import type { Attempt } from '../telemetry/types.js'
import type { Environment } from './environment.js'
import { settledOrStopped } from '../problems/errors.js'
import type { CheckedPortRequest, PortResult } from './port-request.js'
import { SUSPENSION_TIMES } from './suspension.js'
import { attempt, suspensionId } from './try-provider.js'

/** Longest duration of any try, in milliseconds. */
const LONGEST_MS = 330_000
/** Interval at which a running probe renews its claim, in milliseconds: well before it counts as lost. */
const RENEW_MS = SUSPENSION_TIMES.probe / 3
/** Shortest time a probe gets in an optional part of a call, in milliseconds. */
const PART_MS = 20_000
const LATE = 'suspended and is being probed; the call waited no longer than its usual time'

type ProbeOutcome = PortResult | Fault | null

/** Holds the claim on probing the provider while this work runs, however long that is. */
export async function probing<T>({ clock, suspensions }: Environment, id: string, work: Promise<T>): Promise<T> {
  const stop = clock.every(RENEW_MS, () => suspensions.renew(id))
  try {
    return await work
  } finally {
    stop()
  }
}

/**
 * Probes a suspended provider while others could answer the call. Has its own time limit and record, and continues after
 * the call, so that no call waits for a provider that still hangs. Never used for a port with external effects.
 */
export class LoneProbe {
  readonly #environment: Environment
  readonly #request: CheckedPortRequest
  readonly #provider: LoadedProvider
  readonly #state: CallState
  readonly #work: Promise<ProbeOutcome>
  readonly #started: number
  readonly #place: number
  /** The entry in the call's record while the call does not wait for the probe. */
  #standIn: Attempt | null = null

  constructor(environment: Environment, request: CheckedPortRequest, provider: LoadedProvider) {
    const { clock, probes } = environment
    const { call, port } = request
    const cancel = new Cancel(clock, clock.monotonic() + LONGEST_MS, call.account)
    this.#environment = environment
    this.#request = request
    this.#provider = provider
    this.#started = clock.monotonic()
    this.#place = call.tries.place()
    const { requestId, account, key } = call
    this.#state = new CallState({ requestId, account, key, caller: () => call.caller, cancel, above: call })
    this.#state.loading = call.loading
    const held = environment.begin()
    const own = { ...request, call: this.#state, cancel }
    const left = Math.max(request.cancel.timeLeft(), request.optional === true ? PART_MS : 0)
    const trying = attempt(environment, own, provider, { waits: () => true, left })
    this.#work = probing(environment, suspensionId(port, provider), trying).finally(() => {
      this.#state.end(environment.log)
      held.end()
    })
    probes.add(cancel, this.#work)
  }

  /**
   * The outcome, or `late` once the provider's usual time has passed and `others` have settled. Throws what a try
   * throws, and Stopped when the call ends first.
   */
  async within(others: Promise<unknown> = Promise.resolve()): Promise<ProbeOutcome | 'late'> {
    const { clock, probes } = this.#environment
    let stop: () => void = () => undefined
    const usual = new Promise<void>((resolve) => {
      stop = clock.after(probes.usual(suspensionId(this.#request.port, this.#provider)), resolve)
    })
    const late = Promise.all([usual, others]).then(() => 'late' as const)
    try {
      const outcome = await settledOrStopped(Promise.race([this.#work, late]), this.#request.cancel)
      if (outcome === 'late') this.#note()
      else this.#take()
      return outcome
    } finally {
      stop()
    }
  }

  /** Waits for the outcome, for a call that found no other answer. */
  async after(): Promise<ProbeOutcome> {
    const outcome = await settledOrStopped(this.#work, this.#request.cancel)
    this.#take()
    return outcome
  }

  /** The Fault for a call that continues without it. */
  get late(): Fault {
    return new Fault('busy', `The provider was ${LATE}.`)
  }

  /** The call has ended or no longer needs the probe. */
  leave(): void {
    this.#state.left = true
  }

  #note(): void {
    const { call } = this.#request
    const ms = Math.round(this.#environment.clock.monotonic() - this.#started)
    this.#standIn = { ...attemptOf(this.#request, this.#provider), outcome: 'busy', ms, reason: LATE }
    call.tries.add(this.#standIn, this.#place)
  }

  /** Merges its record into the call's. */
  #take(): void {
    const { call } = this.#request
    call.tries.takeOver(this.#state.tries, this.#standIn)
    for (const note of this.#state.notes) call.note(note)
    for (const { vendor, port } of this.#state.contributions) call.recordProvider(vendor, port)
    call.costly ||= this.#state.costly
  }
}
