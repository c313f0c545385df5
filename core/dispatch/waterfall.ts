import type { Cancel } from '../cancel.js'
import type { LoadedPort, LoadedProvider } from '../loader/port.js'
import { buildRequest, Fault, mapReply, runProvider, serves, tryLimit } from '../sdk/index.js'
import type { Attempt } from './attempts.js'
import type { CallState } from './call.js'
import { CallContext } from './context.js'
import type { Environment } from './environment.js'
import { Stopped, Unavailable } from './errors.js'
import type { Answer } from './question.js'

/** Limit of one try of a plain HTTP provider that names none, in milliseconds. */
const HTTP_TRY_MS = 10_000
/** With less than this left no further provider is asked. */
const LEAST_MS = 20
/** Deeper nesting of ports is taken for a loop. */
const DEEPEST = 8

export interface Question {
  readonly call: CallState
  readonly port: LoadedPort
  /** Already checked against the port's input schema. */
  readonly input: unknown
  readonly cancel: Cancel
  /** How many ports stand above this one. */
  readonly depth: number
  /** Ask this vendor alone. */
  readonly only?: string | undefined
}

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
  for (const provider of providers) {
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
    const outcome = await attempt(environment, question, provider)
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

/** One try: a result, null when the provider turned out unavailable itself, or the Fault it ended with. */
export async function attempt(environment: Environment, question: Question, provider: LoadedProvider): Promise<Answer | Fault | null> {
  const { call, port, cancel } = question
  const { clock, suspensions } = environment
  const record: Attempt = { provider: provider.vendor.id, port: port.port.id, outcome: 'broken', ms: 0 }
  call.attempts.push(record)
  const started = clock.monotonic()
  const id = suspensionId(port, provider)
  let step: { cancel: Cancel; done: () => void } = { cancel, done: () => undefined }
  try {
    const limit = tryLimit(provider.contribution, question.input) ?? (provider.contribution.http === undefined ? Infinity : HTTP_TRY_MS)
    if (limit < cancel.timeLeft()) step = cancel.step(limit)
    const data = await produce(environment, { ...question, cancel: step.cancel }, provider)
    record.outcome = 'ok'
    suspensions.succeeded(id)
    return { provider: provider.vendor.id, data }
  } catch (error) {
    if (cancel.reason !== null) {
      record.outcome = 'busy'
      record.reason = cancel.reason === 'deadline' ? 'no time left' : 'the call was stopped'
      // How long a call may take is the caller's choice, so running out of time says nothing of the provider.
      suspensions.abandoned(id)
      throw new Stopped(cancel.reason)
    }
    if (error instanceof Unavailable) {
      record.outcome = 'skipped'
      record.reason = error.message
      return null
    }
    const fault = toFault(error, step.cancel, port.port.once === true)
    record.outcome = fault.kind
    record.reason = fault.message
    suspensions.failed(id, fault, provider.kind === 'local')
    report(environment, call, record, fault)
    return fault
  } finally {
    step.done()
    record.ms = Math.round(clock.monotonic() - started)
    environment.onAttempt(record)
  }
}

/** The provider's result, checked against the port's output; anything else is a Fault. */
async function produce(environment: Environment, question: Question, provider: LoadedProvider): Promise<unknown> {
  const { port, input, call, cancel } = question
  const { contribution, access, reply: shape } = provider
  const once = port.port.once === true
  if (once) call.actedOnce = true
  let data: unknown
  if (shape !== null && contribution.http !== undefined) {
    const reply = await environment.api.request(access, buildRequest(contribution, input, { settings: access.settings }), cancel, { once })
    if (!shape.check(reply.body)) throw misfit('The provider replied in a form that was not understood.', shape.explain(), once)
    data = mapReply(contribution, reply.body, input)
  } else {
    data = await settledOrStopped(runProvider(contribution, input, new CallContext(environment, question, provider)), cancel)
  }
  if (data === null || data === undefined) throw new Fault('missing', 'The provider had no result.')
  if (!port.output.check(data)) throw misfit('The provider answered with a result that does not fit.', port.output.explain(), once)
  return data
}

function misfit(message: string, internal: string, ambiguous: boolean): Fault {
  return new Fault('broken', message, { internal, ambiguous })
}

/** The promise's result, or a rejection as soon as the call is stopped: plugin code may never settle. */
export function settledOrStopped<T>(work: Promise<T>, cancel: Cancel): Promise<T> {
  return new Promise((resolve, reject) => {
    const forget = cancel.onCancel((reason) => reject(new Stopped(reason)))
    work.then(resolve, reject).finally(forget)
  })
}

function toFault(error: unknown, cancel: Cancel, once: boolean): Fault {
  if (cancel.reason === 'step-timeout') return new Fault('busy', 'The provider took too long.', { cause: error, ambiguous: once })
  if (Fault.is(error)) return error
  const internal = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return new Fault('broken', 'The provider failed unexpectedly.', { internal, cause: error, ambiguous: once })
}

function report(environment: Environment, call: CallState, record: Attempt, fault: Fault): void {
  const level = fault.kind === 'credentials' || fault.kind === 'quota' ? 'error' : fault.kind === 'broken' ? 'warn' : 'info'
  environment.log(level, `provider ${record.provider} of ${record.port}: ${fault.kind}: ${fault.message}`, {
    request_id: call.requestId,
    provider: record.provider,
    port: record.port,
    kind: fault.kind,
    ...(fault.internal === undefined ? {} : { internal: fault.internal }),
  })
}

/** What a provider is suspended under. */
export function suspensionId(port: LoadedPort, provider: LoadedProvider): string {
  return `${port.port.id}/${provider.vendor.id}`
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

const ORDER = ['invalid', 'blocked', 'missing', 'busy', 'quota', 'credentials', 'broken']

/** Of several failures the one most useful to the caller; of busy ones the shortest wait. */
export function mostUseful(faults: readonly Fault[]): Fault {
  const [first, ...rest] = faults
  if (first === undefined) return new Fault('broken', 'No provider could be asked.')
  return rest.reduce((best, fault) => {
    const difference = ORDER.indexOf(fault.kind) - ORDER.indexOf(best.kind)
    if (difference !== 0) return difference < 0 ? fault : best
    return (fault.retryAfterSeconds ?? Infinity) < (best.retryAfterSeconds ?? Infinity) ? fault : best
  }, first)
}
