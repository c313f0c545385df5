import type { LoadedPort, LoadedProvider } from '../loader/port.js'
import { Fault, serves } from '../sdk/index.js'
import type { Attempt } from './attempts.js'
import type { CallState } from './call.js'
import type { Environment } from './environment.js'
import { Stopped, Unavailable } from './errors.js'
import { mostUseful } from './most-useful.js'
import type { Answer, Question } from './question.js'
import { attempt, suspensionId } from './try-provider.js'

/** With less than this left no further provider is asked. */
const LEAST_MS = 20
/** Deeper nesting of ports is taken for a loop. */
const DEEPEST = 8

/**
 * Asks the providers of a port in order until one has a result, noting every try. Throws the most useful Fault when none had,
 * Unavailable when none could be asked, Stopped when the call ended first.
 */
export async function waterfall(environment: Environment, question: Question): Promise<Answer> {
  const { call, port, cancel, depth } = question
  assertShallow(depth, port)
  const providers = candidates(question)
  const faults: Fault[] = []
  const suspended: LoadedProvider[] = []
  let asked = false
  for (const [place, provider] of providers.entries()) {
    if (cancel.reason !== null) throw new Stopped(cancel.reason)
    if (!fits(environment, provider, question.input)) {
      skip(environment, question, provider, 'does not serve this input')
      continue
    }
    if (cancel.timeLeft() < LEAST_MS) {
      skip(environment, question, provider, 'no time left')
      continue
    }
    if (environment.suspensions.admit(suspensionId(port, provider)) === 'suspended') {
      suspended.push(provider)
      skip(environment, question, provider, 'suspended')
      continue
    }
    const outcome = await attempt(environment, question, provider, () =>
      providers.slice(place + 1).some((next) => isOpen(environment, question, next)),
    )
    if (outcome === null) continue
    asked = true
    if (!Fault.is(outcome)) {
      if (depth === 0) call.won(outcome.provider)
      return outcome
    }
    faults.push(outcome)
    if (outcome.kind === 'invalid' || (port.port.once === true && outcome.ambiguous)) throw outcome
  }
  if (!asked && suspended.length > 0) {
    const answer = await lastResort(environment, question, suspended, faults)
    if (answer !== null) return answer
    asked = faults.length > 0
  }
  if (!asked && cancel.timeLeft() < LEAST_MS) throw new Stopped('deadline')
  if (!asked) throw new Unavailable(port.port.id, unavailableReason(question))
  throw mostUseful(faults)
}

/** Throws when ports stand above one another so often that they must ask in a circle. */
export function assertShallow(depth: number, port: LoadedPort): void {
  if (depth > DEEPEST)
    throw new Fault('broken', 'The ports of this capability ask each other in a circle.', { internal: `depth ${depth} at ${port.port.id}` })
}

/** Live providers in order, or the one that is wanted. */
function candidates({ port, only }: Question): LoadedProvider[] {
  return port.providers.filter((provider) => provider.state === 'live' && (only === undefined || provider.vendor.id === only))
}

/** Notes a provider that was passed over. */
export function skip(environment: Environment, { call, port }: Question, provider: LoadedProvider, reason: string): void {
  const attempt: Attempt = { provider: provider.vendor.id, port: port.port.id, outcome: 'skipped', ms: 0, reason }
  call.attempts.push(attempt)
  environment.onAttempt(attempt)
}

/** Whether the provider serves the input. One that cannot tell does not. */
export function fits(environment: Environment, provider: LoadedProvider, input: unknown): boolean {
  try {
    return serves(provider.contribution, input)
  } catch (error) {
    environment.log('warn', `provider ${provider.vendor.id} of ${provider.contribution.of.id}: serves() failed`, { error: String(error) })
    return false
  }
}

/** Whether the provider could be asked now. */
function isOpen(environment: Environment, { port, input }: Question, provider: LoadedProvider): boolean {
  return !environment.suspensions.isOut(suspensionId(port, provider)) && fits(environment, provider, input)
}

/** With every provider suspended one probe goes out rather than none. */
export async function lastResort(
  environment: Environment,
  question: Question,
  suspended: readonly LoadedProvider[],
  faults: Fault[],
): Promise<Answer | null> {
  const { call, port, depth } = question
  const id = environment.suspensions.soonest(suspended.map((provider) => suspensionId(port, provider)))
  const provider = suspended.find((candidate) => suspensionId(port, candidate) === id)
  if (id === undefined || provider === undefined) {
    faults.push(new Fault('busy', 'Every provider is suspended after failures; one is tried again shortly.', { retryAfterSeconds: 5 }))
    return null
  }
  environment.suspensions.force(id)
  const outcome = await attempt(environment, question, provider)
  if (Fault.is(outcome)) {
    faults.push(outcome)
    return null
  }
  if (outcome !== null && depth === 0) call.won(outcome.provider)
  return outcome
}

function unavailableReason({ port, only, call }: Question): string {
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
