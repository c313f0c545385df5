import { programCheck } from '../exec/program-check.js'
import type { LoadedPort, LoadedProvider } from '../loader/types.js'
import { carriesFiles } from '../outbound/request-body.js'
import { Stopped, Unavailable } from '../problems/errors.js'
import { ownShortage } from '../problems/own-shortage.js'
import { Problem } from '../problems/problem.js'
import type { Cancel, CancelReason } from '../runtime/cancel.js'
import { IdleLimit } from '../runtime/idle-limit.js'
import type { LogEventName } from '../runtime/log-events.js'
import { buildRequest, type Call, Fault, isInconclusive, mapReply, runProvider, tryLimit } from '../sdk/index.js'
import { StoreUnavailable } from '../store/types.js'
import type { Attempt } from '../telemetry/types.js'
import { attemptOf, type CallState, TryUse } from './call.js'
import { runWithContext } from './context.js'
import type { Environment } from './environment.js'
import type { CheckedPortRequest, PortResult } from './port-request.js'
import type { TimedOut } from './suspension.js'

/** Default limit of one try of a plain HTTP provider, in milliseconds. */
const HTTP_TRY_MS = 10_000
/** Time that a provider without a limit leaves for the following ones, in milliseconds. */
const RESERVED_MS = 10_000
/** A timeout below this that the call, not the provider, set is inconclusive, in milliseconds. */
const CONCLUSIVE_MS = 10_000
/** A provider without an answer within this in an optional part hangs, unless it is usually slower, in milliseconds. */
const FAIR_MS = 3_000

interface TryLimit {
  /** Milliseconds; Infinity for all that is left of the call. */
  readonly ms: number
  /** Whether one timeout proves an outage; otherwise only many in a row do. */
  readonly conclusive: boolean
  /** Idle limit: the try ends after this long without a byte transferred, in milliseconds. */
  readonly idleMs: number
}

interface TryOrder {
  readonly port: LoadedPort
  readonly provider: LoadedProvider
  readonly input: unknown
  /** Milliseconds left of the call. */
  readonly left: number
  /** It serves an optional part of the call. */
  readonly optional?: boolean | undefined
  /** The request of a plain HTTP provider contains files, which may be of any size. */
  readonly streams?: boolean
}

/**
 * The time limit of one try. A provider's own `timeoutMs` applies; without one, a plain HTTP provider gets 10 s and any
 * other the remaining time of the call. While another provider follows (`waits`), one without `timeoutMs` leaves 10 s
 * of the remaining time, at most half of it, except on a port with external effects, where no other provider is called
 * after an unknown outcome. In an optional part of the call, one with a `timeoutMs` leaves as much too. A plain HTTP
 * provider without `timeoutMs` that sends files has an idle limit of 10 s instead. Timeouts of local
 * providers, and of tries limited below 10 s by the call's input, are inconclusive.
 * Throws what the provider's `timeoutMs` throws.
 */
function limitOf({ port, provider, input, left, streams = false, optional = false }: TryOrder, waits: () => boolean): TryLimit {
  const { contribution, kind } = provider
  const own = tryLimit(contribution, input)
  let ms = own ?? (contribution.http === undefined || streams ? Infinity : HTTP_TRY_MS)
  const leaves = own === undefined || optional
  if (leaves && ms > left / 2 && port.port.once !== true && waits()) ms = Math.min(ms, Math.max(left / 2, left - RESERVED_MS))
  const idleMs = own === undefined && streams ? HTTP_TRY_MS : Infinity
  const isWhole = typeof contribution.timeoutMs === 'number' && ms === own
  return { ms, idleMs, conclusive: kind !== 'local' && (isWhole || ms >= (optional ? FAIR_MS : CONCLUSIVE_MS)) }
}

const TOO_LONG = 'The provider took too long.'
/** Reasons in the record of a stopped try. */
const STOPPED: Readonly<Record<CancelReason, string>> = {
  deadline: 'no time left',
  'step-timeout': 'no time left',
  over: 'no longer needed',
  'client-gone': 'the call was stopped',
  shutdown: 'the call was stopped',
  preempted: 'its time limit passed while other accounts waited',
}

/** The id of a provider's suspension. */
export function suspensionId(port: LoadedPort, provider: LoadedProvider): string {
  return `${port.port.id}/${provider.vendor.id}`
}

interface TryOptions {
  readonly waits?: () => boolean
  readonly doubts?: boolean
  readonly left?: number
}

/**
 * One try: a result, null when the provider itself was unavailable, or its Fault. `waits`: whether another provider would
 * follow; `doubts`: whether one failed before; `left`: milliseconds for a provider without its own limit. Throws Stopped
 * when the call ends first; passes on Problem and StoreUnavailable.
 */
export async function attempt(
  environment: Environment,
  request: CheckedPortRequest,
  provider: LoadedProvider,
  { waits = () => false, doubts = false, left: most = Infinity }: TryOptions = {},
): Promise<PortResult | Fault | null> {
  const { call, port, cancel } = request
  const { clock, suspensions } = environment
  const record: Attempt = attemptOf(request, provider)
  call.tries.add(record)
  const started = clock.monotonic()
  const id = suspensionId(port, provider)
  const tryUse = new TryUse()
  let limit: TryLimit = { ms: Infinity, conclusive: false, idleMs: Infinity }
  let step: TryStep = { cancel, moved: () => undefined, done: () => undefined }
  try {
    const left = cancel.timeLeft()
    const { contribution, access } = provider
    const sent = contribution.http === undefined ? null : buildRequest(contribution, request.input, { settings: access.settings })
    const streams = sent !== null && carriesFiles(sent)
    limit = limitOf({ port, provider, input: request.input, left: Math.min(left, most), streams, optional: request.optional }, waits)
    step = stepOf(environment, cancel, limit, left)
    const data = await produce(environment, request, { provider, call: sent, step, under: id, tryUse })
    if (doubts && isInconclusive(contribution, data))
      throw new Fault('missing', 'It found nothing, but providers that failed might have.', { inconclusive: true })
    record.outcome = 'ok'
    suspensions.succeeded(id, started)
    environment.probes.answered(id, clock.monotonic() - started)
    return { provider: provider.vendor.id, data }
  } catch (error) {
    if (cancel.reason !== null) {
      tryUse.stopped = true
      record.outcome = 'busy'
      record.reason = STOPPED[cancel.reason]
      // The caller chooses the call's deadline, so missing it is no evidence against the provider; a part's limit is another matter.
      if (hadFairTime(environment, request, provider, started))
        timedOut(environment, { port, provider, fault: new Fault('busy', TOO_LONG), started, conclusive: true })
      else suspensions.abandoned(id, started)
      throw new Stopped(cancel.reason)
    }
    if (error instanceof Problem || error instanceof StoreUnavailable) {
      // The gateway itself cannot continue, such as without room for the account's files: no evidence against the
      // provider.
      record.outcome = 'busy'
      record.reason = error instanceof Problem ? error.message : 'the database of the gateway did not answer'
      suspensions.abandoned(id, started)
      throw error
    }
    if (error instanceof Unavailable) {
      record.outcome = 'skipped'
      record.reason = error.message
      suspensions.abandoned(id, started)
      return null
    }
    const fault = toFault(error, step.cancel, port.port.once === true)
    call.costly ||= fault.costly || (provider.kind === 'local' && step.cancel.reason === 'step-timeout')
    tryUse.noteStatus(fault.status)
    record.outcome = fault.kind
    record.reason = fault.message
    const local = provider.kind === 'local' && { account: call.account, check: programCheck(environment.sandbox, provider.vendor, clock) }
    if (step.cancel.reason === 'step-timeout' && (request.optional === true || otherServes(environment, port, provider)))
      timedOut(environment, { port, provider, fault, started, conclusive: limit.conclusive, local })
    else if (fault.unavailable && fault.kind === 'busy') suspensions.abandoned(id, started)
    else suspensions.failed(id, fault, { started, local })
    report(environment, call, record, fault)
    return fault
  } finally {
    step.done()
    record.ms = Math.round(clock.monotonic() - started)
    if (tryUse.isCharged(provider.kind, record.outcome)) call.vendorUse.add({ calls: 1 })
    environment.telemetry.attempt(record)
  }
}

/**
 * Whether a vendor had its usual time, and at least three seconds, when the time limit of an optional part ended. Never
 * for a local provider, whose time depends on its target.
 */
function hadFairTime(
  { clock, probes }: Environment,
  { port, cancel, optional }: CheckedPortRequest,
  provider: LoadedProvider,
  started: number,
): boolean {
  if (cancel.reason !== 'step-timeout' || optional !== true || provider.kind === 'local') return false
  return clock.monotonic() - started >= Math.max(FAIR_MS, probes.usual(suspensionId(port, provider)))
}

/** The stop signal of a try; call `moved` for every transfer of bytes. */
interface TryStep {
  readonly cancel: Cancel
  readonly moved: () => void
  readonly done: () => void
}

function stepOf({ clock }: Environment, cancel: Cancel, { ms, idleMs }: TryLimit, left: number): TryStep {
  const step = ms < left ? cancel.step(ms) : { cancel, done: () => undefined }
  if (idleMs === Infinity) return { ...step, moved: () => undefined }
  const idle = new IdleLimit(clock, step.cancel, idleMs)
  return {
    cancel: idle.cancel,
    moved: () => idle.moved(),
    done: () => {
      idle.done()
      step.done()
    },
  }
}

/** Records a timeout; a conclusive one also on the vendor's other ports that another provider serves. */
function timedOut(
  environment: Environment,
  { port, provider, fault, ...how }: { port: LoadedPort; provider: LoadedProvider; fault: Fault } & TimedOut,
): void {
  const { suspensions } = environment
  suspensions.timedOut(suspensionId(port, provider), fault, how)
  if (!how.conclusive) return
  for (const other of environment.registry().ports.values()) {
    const same = other === port ? undefined : other.providers.find(({ vendor }) => vendor.id === provider.vendor.id)
    if (same !== undefined && otherServes(environment, other, same)) suspensions.timedOut(suspensionId(other, same), fault, how)
  }
}

/** Whether another provider of the port is live and not suspended. */
function otherServes({ suspensions }: Environment, port: LoadedPort, provider: LoadedProvider): boolean {
  return port.providers.some((other) => other !== provider && other.state === 'live' && !suspensions.isSuspended(suspensionId(port, other)))
}

interface Producing {
  readonly provider: LoadedProvider
  /** The request of a plain HTTP provider. */
  readonly call: Call | null
  readonly step: TryStep
  readonly under: string
  readonly tryUse: TryUse
}

/** The provider's result, checked against the port's output; anything else is a Fault. */
async function produce(
  environment: Environment,
  { port, input, call, depth, direct, optional }: CheckedPortRequest,
  { provider, call: sent, step: { cancel, moved }, under, tryUse }: Producing,
): Promise<unknown> {
  const { contribution, access, reply: shape } = provider
  const once = port.port.once === true
  if (once) call.actedOnce = true
  let data: unknown
  if (shape !== null && sent !== null) {
    const files = carriesFiles(sent) ? { files: call.scratch(environment.openScratch), moved } : {}
    const reply = await environment.api.request(access, sent, cancel, { once, ...files })
    tryUse.replied = true
    if (!shape.check(reply.body)) throw violation('The provider sent an invalid reply.', shape.explain(), once)
    data = mapReply(contribution, reply.body, input)
  } else {
    data = await runWithContext(environment, { call, cancel, depth, direct, under, optional, tryUse, provider }, (context) =>
      runProvider(contribution, input, context),
    )
  }
  if (data === null || data === undefined) throw new Fault('missing', 'The provider had no result.')
  if (!port.output.check(data)) throw violation('The provider returned an invalid result.', port.output.explain(), once)
  return data
}

function violation(message: string, internal: string, ambiguous: boolean): Fault {
  return new Fault('broken', message, { internal, ambiguous })
}

function toFault(error: unknown, cancel: Cancel, once: boolean): Fault {
  if (cancel.reason === 'step-timeout') return new Fault('busy', TOO_LONG, { cause: error, ambiguous: once, inconclusive: true })
  if (Fault.is(error) && error.kind !== 'broken') return error
  const lack = ownShortage(error)
  // Not the provider's fault, but the next one may need less.
  if (lack !== null) return new Fault('busy', lack.message, { unavailable: true, cause: lack, ambiguous: once })
  if (Fault.is(error)) return error
  const internal = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return new Fault('broken', 'The provider failed unexpectedly.', { internal, cause: error, ambiguous: once })
}

function eventOf({ kind }: Fault): LogEventName {
  switch (kind) {
    case 'credentials':
    case 'quota':
      return 'provider-account'
    case 'broken':
      return 'provider-failed'
    default:
      return 'provider-declined'
  }
}

function report(environment: Environment, call: CallState, record: Attempt, fault: Fault): void {
  call.reported(fault)
  environment.log(eventOf(fault), `provider ${record.provider} of ${record.port}: ${fault.kind}: ${fault.message}`, {
    request_id: call.requestId,
    provider: record.provider,
    port: record.port,
    ...(record.under === undefined ? {} : { under: record.under }),
    kind: fault.kind,
    ...(fault.internal === undefined ? {} : { internal: fault.internal }),
  })
}
