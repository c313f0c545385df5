import type { Cancel } from '../runtime/cancel.js'
import type { LoadedProvider } from '../loader/types.js'
import { Fault, mostUseful, type GatherOptions, type PortAnswer } from '../sdk/index.js'
import type { Environment } from './environment.js'
import { Stopped, Unavailable } from '../problems/errors.js'
import { LoneProbe, probing } from './probe.js'
import { isDirect, type CheckedPortRequest, type PortResult } from './port-request.js'
import { attempt, suspensionId } from './try-provider.js'
import { areUndecided, fits, lastResort, LEAST_MS, notCalled, skip } from './waterfall.js'

type GatherOutcome = PortResult | Fault | 'late' | null

interface Candidate {
  readonly provider: LoadedProvider
  readonly order: number
}

/**
 * Calls the live providers of a port within the limits of the options and returns the results. With all of them
 * suspended one probe is sent. Throws Unavailable when no provider could be called, Stopped when the call ended first,
 * TypeError for invalid options, and unless `orFail` is false the most useful Fault when no provider had an answer.
 */
export async function gather(
  environment: Environment,
  request: CheckedPortRequest,
  options: GatherOptions<unknown> = {},
): Promise<PortAnswer<unknown>[]> {
  assertOptions(options)
  const { port, call, cancel: whole, input } = request
  const live = port.providers.filter(({ state }) => state === 'live').map((provider, order) => ({ provider, order }))
  const candidates = live.filter(
    ({ provider }) => options.only?.includes(provider.vendor.id) !== false && fits(environment, provider, input),
  )
  if (candidates.length === 0) throw new Unavailable(port.port.id, unavailable(port.port.id, options.only))
  const { withinMs = Infinity } = options
  const { cancel, done } = whole.step(Math.max(0, withinMs))
  const optional = request.optional === true || withinMs < Infinity
  const gathering = new Gathering(environment, { ...request, cancel, optional }, { candidates, options })
  try {
    await gathering.run()
  } finally {
    done()
    gathering.leave()
  }
  if (whole.reason !== null) throw new Stopped(whole.reason)
  if (!gathering.began && whole.timeLeft() < LEAST_MS) throw new Stopped('deadline')
  gathering.report()
  if (options.orFail !== false && gathering.answers.length === 0) throw gathering.failure()
  if (isDirect(request)) for (const { provider } of gathering.answers) call.recordProvider(provider, port.port.id)
  return [...gathering.answers]
}

/** One gather: the providers still to call, and the outcomes of the others. */
class Gathering {
  readonly #environment: Environment
  /** With the gather's own Cancel. */
  readonly #request: CheckedPortRequest
  readonly #options: GatherOptions<unknown>
  readonly #all: readonly Candidate[]
  readonly #left: Candidate[]
  readonly #suspended: LoadedProvider[] = []
  readonly #certain: Promise<unknown>[] = []
  readonly #probes: LoneProbe[] = []
  readonly #faults: Fault[] = []
  /** A provider was not called, or not awaited, for lack of time. */
  #late = false
  #answers: readonly PortAnswer<unknown>[] = []
  #counted = 0
  #enough = false
  #failure: { readonly error: unknown } | null = null
  /** A provider was called. */
  began = false

  constructor(
    environment: Environment,
    request: CheckedPortRequest,
    { candidates, options }: { readonly candidates: readonly Candidate[]; readonly options: GatherOptions<unknown> },
  ) {
    this.#environment = environment
    this.#request = request
    this.#options = options
    this.#all = candidates
    this.#left = [...candidates]
  }

  /** In the order of the waterfall. */
  get answers(): readonly PortAnswer<unknown>[] {
    return this.#answers
  }

  /** Resolves when every call has ended, so that the record is complete. Throws errors that end the whole call. */
  async run(): Promise<void> {
    await Promise.all(Array.from({ length: this.#width }, () => this.#callInTurn()))
    if (!this.began && this.#suspended.length > 0 && !this.#over)
      await this.#take(null, () => lastResort(this.#environment, this.#request, this.#suspended))
    this.#late ||= this.#cancel.cancelled
    if (this.#failure !== null) throw this.#failure.error
  }

  /** Reports the failures to the handler, including providers that were not called. */
  report(): void {
    const { onFailure } = this.#options
    if (onFailure !== undefined) for (const fault of [...this.#ended(), ...this.#suspendedFaults()]) onFailure(fault)
  }

  /** The failure when no provider had an answer, as of a waterfall. */
  failure(): Fault | Unavailable {
    const { id } = this.#request.port.port
    const faults = this.#ended()
    if (areUndecided(faults)) faults.push(...this.#suspendedFaults())
    return faults.length === 0 ? new Unavailable(id, `No provider of ${id} could be called.`) : mostUseful(faults)
  }

  #ended(): Fault[] {
    const late = this.#late && !this.#enough ? [new Fault('busy', 'No provider answered within the time limit.')] : []
    return [...this.#faults, ...late]
  }

  /** Suspended providers that were not called. */
  #suspendedFaults(): Fault[] {
    return notCalled(this.#environment, this.#request, this.#suspended)
  }

  /** Detaches from probes that still run. */
  leave(): void {
    for (const probe of this.#probes) probe.leave()
  }

  get #atMost(): number {
    return this.#options.atMost ?? Infinity
  }

  get #width(): number {
    return Math.min(this.#all.length, this.#atMost, this.#options.atOnce ?? Infinity)
  }

  get #cancel(): Cancel {
    return this.#request.cancel
  }

  get #over(): boolean {
    return this.#enough || this.#cancel.cancelled
  }

  async #callInTurn(): Promise<void> {
    while (!this.#over && this.#counted < this.#atMost) {
      const next = this.#left.shift()
      if (next === undefined) return
      await this.#callNext(next)
    }
  }

  async #callNext({ provider, order }: Candidate): Promise<void> {
    const environment = this.#environment
    if (this.#cancel.timeLeft() < LEAST_MS) {
      this.#late = true
      return skip(environment, this.#request, provider, 'no time left')
    }
    const id = suspensionId(this.#request.port, provider)
    const admitted = environment.suspensions.admit(id)
    if (admitted === 'suspended') {
      this.#suspended.push(provider)
      return skip(environment, this.#request, provider, 'suspended')
    }
    this.#counted++
    this.began = true
    const trying = (): Promise<GatherOutcome> => attempt(environment, this.#request, provider)
    if (admitted === 'go') {
      const work = this.#take(order, trying)
      this.#certain.push(work)
      return await work
    }
    const alone = this.#once || (this.#request.optional !== true && !this.#others(provider))
    await this.#take(order, () => (alone ? probing(environment, id, trying()) : this.#probe(provider)))
  }

  /** Probes a suspended provider: waits no longer than its usual time, and not at all once others have answered. */
  #probe(provider: LoadedProvider): Promise<GatherOutcome> {
    const probe = new LoneProbe(this.#environment, this.#request, provider)
    this.#probes.push(probe)
    // All calls begin in this turn of the event loop, so `#certain` is complete in the next.
    const others = this.#width < this.#all.length ? undefined : Promise.resolve().then(() => Promise.all(this.#certain))
    return probe.within(others)
  }

  /** Records the outcome of a try. A skipped or late one does not count against `atMost`. Never rejects. */
  async #take(order: number | null, work: () => Promise<GatherOutcome>): Promise<void> {
    try {
      const outcome = await work()
      this.#late ||= outcome === 'late'
      if (outcome === null || outcome === 'late') this.#counted--
      else if (Fault.is(outcome)) this.#faults.push(outcome)
      else this.#keep(outcome, order ?? this.#orderOf(outcome.provider))
    } catch (error) {
      if (error instanceof Stopped && this.#cancel.cancelled) return
      this.#failure ??= { error }
      this.#stop()
    }
  }

  #keep({ provider, data }: PortResult, order: number): void {
    this.#answers = [...this.#answers, { provider, order, data }].sort((one, other) => one.order - other.order)
    if (this.#enough || this.#options.until?.(this.#answers) !== true) return
    this.#enough = true
    if (!this.#once) this.#stop()
  }

  #stop(): void {
    this.#enough = true
    this.#cancel.cancel('over')
  }

  get #once(): boolean {
    return this.#request.port.port.once === true
  }

  #orderOf(vendor: string): number {
    return this.#all.find(({ provider }) => provider.vendor.id === vendor)?.order ?? 0
  }

  /** Whether another provider of the gather is not suspended and awaits no probe. */
  #others(provider: LoadedProvider): boolean {
    const { suspensions } = this.#environment
    return this.#all.some((other) => {
      const id = suspensionId(this.#request.port, other.provider)
      return other.provider !== provider && suspensions.shared(id) === null && !suspensions.isSuspended(id)
    })
  }
}

function assertOptions({ atMost = 1, atOnce = 1, withinMs = 0 }: GatherOptions<unknown>): void {
  for (const [name, value] of Object.entries({ atMost, atOnce }))
    if (value !== Infinity && (!Number.isInteger(value) || value < 1))
      throw new TypeError(`gather: ${name} is ${String(value)}, not a whole number of at least 1`)
  if (Number.isNaN(withinMs)) throw new TypeError('gather: withinMs is not a number')
}

function unavailable(port: string, only: readonly string[] | undefined): string {
  return only === undefined ? `No provider of ${port} is configured.` : `None of ${only.join(', ')} is a configured provider of ${port}.`
}
