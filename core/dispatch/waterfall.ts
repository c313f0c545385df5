import type { LoadedPort, LoadedProvider } from '../loader/types.js'
import { Fault, isDefinite, mostUseful, serves } from '../sdk/index.js'
import { attemptOf } from './attempts.js'
import type { Attempt } from '../telemetry/types.js'
import type { CallState } from './call.js'
import type { Environment } from './environment.js'
import { Stopped, Unavailable } from '../problems/errors.js'
import { LoneProbe, probing } from './probe.js'
import { isDirect, type CheckedPortRequest, type PortResult } from './port-request.js'
import { SUSPENSION_TIMES } from './suspension-times.js'
import { attempt, suspensionId } from './try-provider.js'

/** With less than this left no further provider is asked. */
export const LEAST_MS = 20
/** A provider that is suspended for longer, such as one whose account is used up, is not asked for a part that the call can do without, in seconds. */
const LONGEST_WAIT_S = SUSPENSION_TIMES.brokenMost / 1000
/** Deeper nesting of ports is taken for a loop. */
const DEEPEST = 8

/**
 * Asks the providers of a port in order until one has a result, noting every try. Throws the most useful Fault when none had,
 * Unavailable when none could be asked, Stopped when the call ended first.
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

/** `late` takes the probes that still run when the call has moved on. */
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
    const outcome =
      admitted === 'go'
        ? await attempt(environment, request, provider, {
            waits,
            doubts: late.length > 0 || suspended.length > 0 || faults.some(isFailure),
          })
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
  // One that was not asked for want of time might have taken what others refused, or found what others could not look for.
  if (undecided && (tooLate || (faults.length === 0 && cancel.timeLeft() < LEAST_MS))) throw new Stopped('deadline')
  if (faults.length === 0) throw new Unavailable(port.port.id, unavailableReason(request))
  if (undecided) faults.push(...notAsked(environment, request, suspended))
  throw mostUseful(faults)
}

/** Whether a provider that might have had a result failed to look for it. */
function isFailure(fault: Fault): boolean {
  return fault.kind !== 'invalid' && !isDefinite(fault)
}

/** Whether the call has something else to go on with than the answer of a provider that is probed: the handler asks others, or needs none. */
function goesOn({ only, optional }: CheckedPortRequest): boolean {
  return only !== undefined || optional === true
}

/** The probe of a suspended provider: on its own and not waited for longer than usual when another provider could answer the call. */
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
 * Whether no other provider is asked: the input itself is refused, by us rather than by a vendor that may take less than others, something may have
 * been done, or the provider says that nobody would find more.
 */
function isFinal({ kind, status, ambiguous, final }: Fault, { port }: LoadedPort): boolean {
  return final || (kind === 'invalid' && status === undefined) || (port.once === true && ambiguous)
}

/** Whether the failures leave open what a provider that was not asked would have said: each one refused the request or could not look. */
export function areUndecided(faults: readonly Fault[]): boolean {
  return faults.every((fault) => fault.kind === 'invalid' || (fault.kind === 'missing' && !isDefinite(fault)))
}

/** The suspended providers among those that were not asked, as the Fault they stand for: they will be back. */
export function notAsked({ suspensions }: Environment, { port }: CheckedPortRequest, suspended: readonly LoadedProvider[]): Fault[] {
  const waits = suspended.flatMap((provider) => {
    const state = suspensions.shared(suspensionId(port, provider))
    return state === null ? [] : [state.msLeft]
  })
  if (waits.length === 0) return []
  const retryAfterSeconds = Math.max(1, Math.ceil(Math.min(...waits) / 1000))
  return [new Fault('busy', 'Providers that were not asked are suspended after failures.', { retryAfterSeconds })]
}

/** Throws when ports stand above one another so often that they must ask in a circle. */
export function assertShallow(depth: number, port: LoadedPort): void {
  if (depth > DEEPEST)
    throw new Fault('broken', 'The ports of this capability ask each other in a circle.', { internal: `depth ${depth} at ${port.port.id}` })
}

/** Live providers in order, or the one that is wanted. */
function candidates({ port, only }: CheckedPortRequest): LoadedProvider[] {
  return port.providers.filter((provider) => provider.state === 'live' && (only === undefined || provider.vendor.id === only))
}

/** Notes a provider that was passed over. */
export function skip(environment: Environment, request: CheckedPortRequest, provider: LoadedProvider, reason: string): void {
  const attempt: Attempt = { ...attemptOf(request, provider), outcome: 'skipped', reason }
  request.call.tries.add(attempt)
  environment.onAttempt(attempt)
}

/** Whether the provider serves the input. One that cannot tell does not. */
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

/** Whether a handler that asks for some providers by name could ask others of the port now. */
function othersOpen(environment: Environment, request: CheckedPortRequest, named: readonly LoadedProvider[]): boolean {
  return request.port.providers.some((other) => other.state === 'live' && !named.includes(other) && isOpen(environment, request, other))
}

/** Whether the provider could be asked now. */
function isOpen(environment: Environment, { port, input }: CheckedPortRequest, provider: LoadedProvider): boolean {
  return !environment.suspensions.isOut(suspensionId(port, provider)) && fits(environment, provider, input)
}

/** With every provider of the port suspended one probe goes out rather than none. A handler that asked for some by name goes on to the others. */
export async function lastResort(
  environment: Environment,
  request: CheckedPortRequest,
  suspended: readonly LoadedProvider[],
): Promise<PortResult | Fault | null> {
  const { port } = request
  if (othersOpen(environment, request, suspended))
    return notAsked(environment, request, suspended)[0] ?? new Fault('busy', 'The provider is suspended by the operator.')
  const id = environment.suspensions.soonest(suspended.map((provider) => suspensionId(port, provider)))
  const provider = suspended.find((candidate) => suspensionId(port, candidate) === id)
  if (id === undefined || provider === undefined)
    return new Fault('busy', 'Every provider is suspended after failures; one is tried again shortly.', { retryAfterSeconds: 5 })
  const [busy] = notAsked(environment, request, [provider])
  if (request.optional === true && (busy?.retryAfterSeconds ?? 0) > LONGEST_WAIT_S) return busy ?? null
  environment.suspensions.force(id)
  const isBrief = request.optional === true && port.port.once !== true
  const outcome = isBrief
    ? await briefly(new LoneProbe(environment, request, provider))
    : await probing(environment, id, attempt(environment, request, provider, { doubts: suspended.length > 1 }))
  environment.suspensions.recovered(
    id,
    suspended.map((each) => suspensionId(port, each)),
  )
  return outcome
}

/** What a probe ends with within the provider's usual time; it goes on by itself when that is over. */
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

/** Why each provider of a port was passed over in this call. */
function skipped({ attempts }: CallState, { port }: LoadedPort): string[] {
  return attempts.filter((attempt) => attempt.port === port.id).map(({ provider, reason }) => `${provider}: ${reason ?? 'was not asked'}`)
}
