import type { LoadedPort, LoadedProvider } from '../loader/types.js'
import { Fault, isDefinite, mostUseful, serves } from '../sdk/index.js'
import { attemptOf, type CallState } from './call.js'
import type { Attempt } from '../telemetry/types.js'
import type { Environment } from './environment.js'
import { Stopped, Unavailable } from '../problems/errors.js'
import { LoneProbe, probing } from './probe.js'
import { isDirect, type CheckedPortRequest, type PortResult } from './port-request.js'
import { SUSPENSION_TIMES } from './suspension.js'
import { attempt, suspensionId } from './try-provider.js'

/** With less time left than this, in milliseconds, no further provider is called. */
export const LEAST_MS = 20
/** In an optional part of a call, a provider suspended for longer than this is not called, in seconds. */
const LONGEST_WAIT_S = SUSPENSION_TIMES.brokenMost / 1000
/** Deeper nesting of ports counts as a loop. */
const DEEPEST = 8

/**
 * Calls the providers of a port in order until one has a result, and records every try. Throws the most useful Fault
 * when none had, Unavailable when none could be called, Stopped when the call ended first.
 */
export async function waterfall(environment: Environment, request: CheckedPortRequest): Promise<PortResult> {
  assertShallow(request.depth, request.port)
  const late: LoneProbe[] = []
  try {
    const answer = await firstResult(environment, request, late)
    if (isDirect(request)) request.call.recordProvider(answer.provider, request.port.port.id)
    return answer
  } finally {
    for (const probe of late) probe.leave()
  }
}

/** `late` collects the probes that still run when the call has moved on. */
async function firstResult(environment: Environment, request: CheckedPortRequest, late: LoneProbe[]): Promise<PortResult> {
  const { port, cancel } = request
  const providers = candidates(request)
  const faults: Fault[] = []
  const suspended: LoadedProvider[] = []
  let tooLate = false
  for (const [place, provider] of providers.entries()) {
    if (cancel.reason !== null) throw new Stopped(cancel.reason)
    if (!fits(environment, provider, request.input)) {
      skip(environment, request, provider, 'does not serve this input')
      continue
    }
    if (cancel.timeLeft() < LEAST_MS) {
      tooLate = true
      skip(environment, request, provider, 'no time left')
      continue
    }
    const admitted = environment.suspensions.admit(suspensionId(port, provider))
    if (admitted === 'suspended') {
      suspended.push(provider)
      skip(environment, request, provider, 'suspended')
      continue
    }
    const waits = (): boolean => providers.slice(place + 1).some((next) => isOpen(environment, request, next))
    const doubts = late.length > 0 || suspended.length > 0 || faults.some(isFailure)
    const outcome =
      admitted === 'go'
        ? await attempt(environment, request, provider, { waits, doubts })
        : await probe(environment, request, provider, { waits, late })
    if (outcome === null) continue
    if (!Fault.is(outcome)) return outcome
    faults.push(outcome)
    if (isFinal(outcome, port)) throw outcome
  }
  for (const running of late) {
    const outcome = goesOn(request) ? running.late : await running.after()
    if (Fault.is(outcome)) faults.push(outcome)
    else if (outcome !== null) return outcome
  }
  if (faults.length === 0 && suspended.length > 0) {
    const outcome = await lastResort(environment, request, suspended)
    if (Fault.is(outcome)) faults.push(outcome)
    else if (outcome !== null) return outcome
  }
  const undecided = areUndecided(faults)
  if (faults.length === 0 && cancel.timeLeft() < LEAST_MS) throw new Stopped('deadline')
  // A provider that was skipped for lack of time might have had the answer, as one that ran out of it.
  if (tooLate && areUndecided(faults.filter((fault) => !hasRunOut(fault)))) throw new Stopped('deadline')
  // The deadline has passed, though its timer may still be due: what failed after it decides nothing.
  if (tooLate && cancel.timeLeft() === 0) throw new Stopped('deadline')
  if (faults.length === 0) throw new Unavailable(port.port.id, unavailableReason(request))
  if (undecided) faults.push(...notCalled(environment, request, suspended))
  throw mostUseful(faults)
}

const hasRunOut = ({ kind, inconclusive }: Fault): boolean => kind === 'busy' && inconclusive

/** Whether a provider failed that might have had a result. */
function isFailure(fault: Fault): boolean {
  return fault.kind !== 'invalid' && !isDefinite(fault)
}

/** Whether the call can continue without the probed provider: its handler has others, or the part is optional. */
function goesOn({ only, optional }: CheckedPortRequest): boolean {
  return only !== undefined || optional === true
}

/** Probes a suspended provider: separately, and awaited only for its usual time, when another provider could answer. */
async function probe(
  environment: Environment,
  request: CheckedPortRequest,
  provider: LoadedProvider,
  { waits, late }: { waits: () => boolean; late: LoneProbe[] },
): Promise<PortResult | Fault | null> {
  const { port, only, optional } = request
  if (port.port.once === true || !(optional === true || waits() || (only !== undefined && othersOpen(environment, request, [provider]))))
    return await probing(environment, suspensionId(port, provider), attempt(environment, request, provider, { waits }))
  const alone = new LoneProbe(environment, request, provider)
  late.push(alone)
  const outcome = await alone.within()
  if (outcome === 'late') return null
  late.pop()
  return outcome
}

/**
 * Whether the waterfall ends here: the gateway itself refused the input (a vendor may accept less than others), an
 * external effect may have happened, or the provider marked its answer as final.
 */
function isFinal({ kind, status, ambiguous, final }: Fault, { port }: LoadedPort): boolean {
  return final || (kind === 'invalid' && status === undefined) || (port.once === true && ambiguous)
}

/** Whether a provider that was not called might have had an answer: all others refused or could not search. */
export function areUndecided(faults: readonly Fault[]): boolean {
  return faults.every((fault) => fault.kind === 'invalid' || (fault.kind === 'missing' && !isDefinite(fault)))
}

/** The Fault for suspended providers that were not called, with the time until the first may be called again. */
export function notCalled({ suspensions }: Environment, { port }: CheckedPortRequest, suspended: readonly LoadedProvider[]): Fault[] {
  const waits = suspended.flatMap((provider) => {
    const state = suspensions.shared(suspensionId(port, provider))
    return state === null ? [] : [state.msLeft]
  })
  if (waits.length === 0) return []
  const retryAfterSeconds = Math.max(1, Math.ceil(Math.min(...waits) / 1000))
  return [new Fault('busy', 'Providers that were not called are suspended after failures.', { retryAfterSeconds })]
}

/** Throws when ports are nested so deeply that they must call each other in a loop. */
export function assertShallow(depth: number, port: LoadedPort): void {
  if (depth > DEEPEST)
    throw new Fault('broken', 'The ports of this capability call each other in a loop.', { internal: `depth ${depth} at ${port.port.id}` })
}

/** Live providers in order, or only the requested one. */
function candidates({ port, only }: CheckedPortRequest): LoadedProvider[] {
  return port.providers.filter((provider) => provider.state === 'live' && (only === undefined || provider.vendor.id === only))
}

/** Records a skipped provider. */
export function skip(environment: Environment, request: CheckedPortRequest, provider: LoadedProvider, reason: string): void {
  const attempt: Attempt = { ...attemptOf(request, provider), outcome: 'skipped', reason }
  request.call.tries.add(attempt)
  environment.telemetry.attempt(attempt)
}

/** Whether the provider serves the input; false when its `serves` throws. */
export function fits(environment: Environment, provider: LoadedProvider, input: unknown): boolean {
  try {
    return serves(provider.contribution, input, provider.access)
  } catch (error) {
    const { vendor, contribution } = provider
    environment.log('provider-serves-failed', `provider ${vendor.id} of ${contribution.of.id}: serves() failed`, {
      port: contribution.of.id,
      provider: vendor.id,
      error: String(error),
    })
    return false
  }
}

/** Whether a handler that names its providers could call others of the port now. */
function othersOpen(environment: Environment, request: CheckedPortRequest, named: readonly LoadedProvider[]): boolean {
  return request.port.providers.some((other) => other.state === 'live' && !named.includes(other) && isOpen(environment, request, other))
}

/** Whether the provider could be called now. */
function isOpen(environment: Environment, { port, input }: CheckedPortRequest, provider: LoadedProvider): boolean {
  return !environment.suspensions.isSuspended(suspensionId(port, provider)) && fits(environment, provider, input)
}

/** Sends one probe when every provider is suspended; unless a handler named its providers and others are available. */
export async function lastResort(
  environment: Environment,
  request: CheckedPortRequest,
  suspended: readonly LoadedProvider[],
): Promise<PortResult | Fault | null> {
  const { port } = request
  if (othersOpen(environment, request, suspended))
    return notCalled(environment, request, suspended)[0] ?? new Fault('busy', 'The provider is suspended by the operator.')
  const ids = suspended.map((provider) => suspensionId(port, provider))
  const id = environment.suspensions.soonest(ids)
  const provider = suspended.find((candidate) => suspensionId(port, candidate) === id)
  if (id === undefined || provider === undefined)
    return new Fault('busy', 'Every provider is suspended after failures; one is tried again shortly.', { retryAfterSeconds: 5 })
  const [busy] = notCalled(environment, request, [provider])
  if (request.optional === true && (busy?.retryAfterSeconds ?? 0) > LONGEST_WAIT_S) return busy ?? null
  environment.suspensions.force(id)
  const isBrief = request.optional === true && port.port.once !== true
  const outcome = isBrief
    ? await briefly(new LoneProbe(environment, request, provider))
    : await probing(environment, id, attempt(environment, request, provider, { doubts: suspended.length > 1 }))
  environment.suspensions.recovered(id, ids)
  return outcome
}

/** The outcome of a probe within the provider's usual time; the probe continues afterwards. */
async function briefly(probe: LoneProbe): Promise<PortResult | Fault | null> {
  try {
    const outcome = await probe.within()
    return outcome === 'late' ? probe.late : outcome
  } finally {
    probe.leave()
  }
}

function unavailableReason({ port, only, call }: CheckedPortRequest): string {
  if (only !== undefined) {
    const wanted = port.all.find((provider) => provider.vendor.id === only)
    return wanted === undefined ? `"${only}" does not serve ${port.port.id}.` : `${only}: ${wanted.reason ?? 'does not serve this input'}.`
  }
  const dormant = port.all
    .filter((provider) => provider.reason !== null)
    .map((provider) => `${provider.vendor.id}: ${provider.reason ?? ''}`)
  if (port.providers.some((provider) => provider.state === 'live'))
    return `No configured provider of ${port.port.id} serves this input. ${[...skipped(call, port), ...dormant].join('; ')}`.trim()
  return dormant.length === 0
    ? `Nothing serves ${port.port.id} in this version.`
    : `No provider of ${port.port.id} is configured. ${dormant.join('; ')}.`
}

/** Why each provider of a port was skipped in this call. */
function skipped({ attempts }: CallState, { port }: LoadedPort): string[] {
  return attempts.filter((attempt) => attempt.port === port.id).map(({ provider, reason }) => `${provider}: ${reason ?? 'was not called'}`)
}
