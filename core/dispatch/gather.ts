import type { Cancel } from '../runtime/cancel.js'
import type { LoadedProvider } from '../loader/types.js'
import { Fault, mostUseful, type GatherOptions, type PortAnswer } from '../sdk/index.js'
import type { Environment } from './environment.js'
import { Stopped, Unavailable } from '../problems/errors.js'
import { LoneProbe, probing } from './probe.js'
import { isDirect, type CheckedPortRequest, type PortResult } from './port-request.js'
import { attempt, suspensionId } from './try-provider.js'
import { areUndecided, fits, lastResort, LEAST_MS, notAsked, skip } from './waterfall.js'

type Outcome = PortResult | Fault | 'late' | null

interface Candidate {
  readonly provider: LoadedProvider
  readonly order: number
}

/**
 * Asks the live providers of a port, as many and as long as the options say; those without a result are left out. With all of them suspended
 * one probe goes out. Throws Unavailable when no provider could be asked, Stopped when the call ended first, TypeError for
 * options that mean nothing, and unless `orFail` is false the most useful Fault when nobody had an answer.
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

/** One gather: the providers that are left to ask, and what came of those that were. */
class Gathering {
  readonly #environment: Environment
  /** With a Cancel of the gather's own. */
  readonly #request: CheckedPortRequest
  readonly #options: GatherOptions<unknown>
  readonly #all: readonly Candidate[]
  readonly #left: Candidate[]
  readonly #suspended: LoadedProvider[] = []
  readonly #certain: Promise<unknown>[] = []
  readonly #probes: LoneProbe[] = []
  readonly #faults: Fault[] = []
  /** Somebody was not asked, or not waited for, for want of time. */
  #late = false
  #answers: readonly PortAnswer<unknown>[] = []
  #counted = 0
  #enough = false
  #failure: { readonly error: unknown } | null = null
  /** A provider was asked. */
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

  /** Resolves when everything that was asked has ended, so that its record is complete. Throws what only the whole call can end with. */
  async run(): Promise<void> {
    await Promise.all(Array.from({ length: this.#width }, () => this.#askInTurn()))
    if (!this.began && this.#suspended.length > 0 && !this.#over)
      await this.#take(null, () => lastResort(this.#environment, this.#request, this.#suspended))
    this.#late ||= this.#cancel.cancelled
    if (this.#failure !== null) throw this.#failure.error
  }

  /** Tells the handler who gave no answer, also those that were not asked. */
  report(): void {
    const { onFailure } = this.#options
    if (onFailure !== undefined) for (const fault of [...this.#ended(), ...this.#out()]) onFailure(fault)
  }

  /** Why nobody had an answer, as a waterfall would end. */
  failure(): Fault | Unavailable {
    const { id } = this.#request.port.port
    const faults = this.#ended()
    if (areUndecided(faults)) faults.push(...this.#out())
    return faults.length === 0 ? new Unavailable(id, `No provider of ${id} could be asked.`) : mostUseful(faults)
  }

  #ended(): Fault[] {
    const late = this.#late && !this.#enough ? [new Fault('busy', 'No provider answered in the time that there was.')] : []
    return [...this.#faults, ...late]
  }

  /** Suspended providers that were not asked. */
  #out(): Fault[] {
    return notAsked(this.#environment, this.#request, this.#suspended)
  }

  /** Probes that still run are no longer waited for. */
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

  async #askInTurn(): Promise<void> {
    while (!this.#over && this.#counted < this.#atMost) {
      const next = this.#left.shift()
      if (next === undefined) return
      await this.#ask(next)
    }
  }

  async #ask({ provider, order }: Candidate): Promise<void> {
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
    const trying = (): Promise<Outcome> => attempt(environment, this.#request, provider)
    if (admitted === 'go') {
      const work = this.#take(order, trying)
      this.#certain.push(work)
      return await work
    }
    const alone = this.#once || (this.#request.optional !== true && !this.#others(provider))
    await this.#take(order, () => (alone ? probing(environment, id, trying()) : this.#probe(provider)))
  }

  /** The probe of a suspended provider holds nobody up who has another answer, nor keeps its turn for longer than the provider usually takes. */
  #probe(provider: LoadedProvider): Promise<Outcome> {
    const probe = new LoneProbe(this.#environment, this.#request, provider)
    this.#probes.push(probe)
    // All that can be asked begin in this turn of the event loop, so that the next knows them.
    const others = this.#width < this.#all.length ? undefined : Promise.resolve().then(() => Promise.all(this.#certain))
    return probe.within(others)
  }

  /** Keeps what a try ended with. One that was no real try gives its place to another. Never rejects. */
  async #take(order: number | null, work: () => Promise<Outcome>): Promise<void> {
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

  /** Whether another provider of the gather is not suspended, and was not since it last answered. */
  #others(provider: LoadedProvider): boolean {
    const { suspensions } = this.#environment
    return this.#all.some((other) => {
      const id = suspensionId(this.#request.port, other.provider)
      return other.provider !== provider && suspensions.shared(id) === null && !suspensions.isOut(id)
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
