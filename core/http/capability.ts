import { startCall } from '../calls/run.js'
import type { CallOrder, CallOutcome, RunningCall } from '../calls/order.js'
import { badKey } from '../calls/idempotency/fingerprint.js'
import { authorise } from '../accounts/authorise.js'
import { toCredits } from '../store/amount.js'
import type { Caller } from '../accounts/caller.js'
import type { LoadedCapability } from '../loader/types.js'
import { Problem } from '../problems/problem.js'
import { normalised, violations, type Validator } from '../sdk/index.js'
import type { agentInput } from './sent-body.js'
import { receive } from './body.js'
import { boundedResponse } from './bounded-response.js'
import { authenticateCall } from './authenticate.js'
import { EventWriter, wantsEvents } from './events.js'
import type { HttpContext } from './exchange.js'
import { GrowingBuffer } from '../runtime/growing-buffer.js'
import { writeOutcome } from './errors.js'
import { isLarge, parseObject } from './json.js'
import { productOf } from './product.js'
import { smallBody, type CheckPoint, type SentBody } from './sent-body.js'
import type { HttpServices } from './services.js'
import { violationItems, validated, validationFailed } from './validation.js'

const LIGHT_BODY = 1024 * 1024

/** A request whose capability is known. */
interface Directed {
  readonly loaded: LoadedCapability
  /** The location of its input in the body. */
  readonly at: CheckPoint
  readonly via: string | null
}

/** How a request names its capability: by its path, or by name through the common endpoint. */
export interface Direction {
  /** The template of the path, for metrics. */
  readonly route: string
  readonly bodyLimit: number
  readonly heavy: boolean
  /** Checks the body of the common endpoint; null for a capability's own path. */
  readonly agent: Validator<typeof agentInput> | null
  direct(body: SentBody): Directed
}

/** Statuses of calls refused before the ledger that count in the caller's statistics. */
const COUNTED = new Set([402, 403, 422, 429])

/** Handles a paid call, from authentication to the written answer. */
export async function serveCapability(services: HttpServices, ctx: HttpContext, direction: Direction): Promise<void> {
  const { exchange } = ctx.state
  exchange.route = direction.route
  services.shedder.admit(direction.heavy)
  const response = boundedResponse(ctx)
  let directed: Directed | null = null
  let recorded = false
  try {
    const { caller, leave } = await authenticateCall(services, ctx)
    if (response !== null) response.working = true
    try {
      services.bytes.admit(caller.account.id, services.shedder.memoryShort)
      for (const limit of [services.aborts, services.unpaid]) {
        const refused = limit.refuse(caller.account.id)
        if (refused instanceof Promise) await refused
      }
      const body = await readBody(services, ctx, { account: caller.account.id, direction })
      let input: unknown
      try {
        directed = direction.direct(body)
        const { loaded, at } = directed
        const given = body.input(loaded.input, at)
        input = normalInput(loaded, given instanceof Promise ? await given : given, at === 'body' ? ['body'] : ['body', 'params'])
      } finally {
        body.close()
      }
      authorise(caller, directed.loaded.capability.id, exchange.address)
      const running = begin(services, ctx, { caller, directed, input, idempotency: idempotencyOf(ctx, body.fingerprint) })
      const outcome = await answer(services, ctx, running)
      recorded = outcome.recorded
      if (!recorded && outcome.problem !== null) countRefusal(services, ctx, { status: outcome.status, directed, route: direction.route })
    } finally {
      response?.worked()
      // The slot is held until the answer is written, since the answer is in memory until then.
      if (ctx.res.closed) leave()
      else ctx.res.once('close', leave)
    }
  } catch (error) {
    if (!recorded && error instanceof Problem) countRefusal(services, ctx, { status: error.status, directed, route: direction.route })
    throw error
  }
}

function countRefusal(services: HttpServices, ctx: HttpContext, about: { status: number; directed: Directed | null; route: string }): void {
  const { caller } = ctx.state.exchange
  if (caller === null || !COUNTED.has(about.status)) return
  const known = about.directed?.loaded.capability ?? services.registry().byPath.get(about.route)?.capability
  services.refusals.count(caller.account.id, known?.path ?? about.route, known?.id ?? '', about.status)
}

interface Begun {
  readonly running: RunningCall
  readonly events: EventWriter | null
}

function begin(
  services: HttpServices,
  ctx: HttpContext,
  about: { caller: Caller; directed: Directed; input: unknown; idempotency: CallOrder['idempotency'] },
): Begun {
  const { caller, directed, input, idempotency } = about
  const { exchange } = ctx.state
  exchange.via = directed.via
  const events = wantsEvents(ctx) ? new EventWriter(services, ctx) : null
  const running = startCall(services.calls, {
    caller,
    loaded: directed.loaded,
    input,
    requestId: exchange.requestId,
    product: productOf(services, ctx),
    via: exchange.via,
    idempotency,
    started: exchange.started,
    room: boundedResponse(ctx),
    onProgress: events === null ? null : (progress) => events.progress(progress),
    onAdmitted: events === null ? null : () => events.start(),
    refresh: () => services.authenticator.refresh(caller),
  })
  return { running, events }
}

/** Reads the body of a call: on the main thread, or a large one in a worker thread. */
async function readBody(
  services: HttpServices,
  ctx: HttpContext,
  { account, direction }: { readonly account: string; readonly direction: Direction },
): Promise<SentBody> {
  const { bodyLimit, agent } = direction
  const received = await receive(ctx, bodyLimit)
  const request = ctx.req.headers['idempotency-key'] === undefined ? null : { method: ctx.method, path: ctx.path }
  if ('bytes' in received && !isLarge(received.bytes)) {
    const { bytes } = received
    return smallBody(bytes.length === 0 ? {} : parseObject(bytes), { bytes: bytes.length, request, agent })
  }
  const moved = 'moved' in received ? received.moved : movable(received.bytes)
  return await services.largeBodies.open({ account, ...moved, request, agent: agent !== null })
}

/** A copy in transferable memory. */
function movable(bytes: Buffer): { buffer: ArrayBuffer; length: number } {
  const growing = new GrowingBuffer(bytes.length)
  growing.append(bytes)
  return { buffer: growing.buffer, length: bytes.length }
}

/** The Idempotency-Key with the fingerprint of the body as it was sent. Throws `malformed-request` for a key that cannot be used. */
function idempotencyOf(ctx: HttpContext, fingerprint: string | null): CallOrder['idempotency'] {
  const header = ctx.req.headers['idempotency-key']
  if (header === undefined || fingerprint === null) return null
  const key = Array.isArray(header) ? header.join(',') : header
  const bad = badKey(key)
  if (bad !== null)
    throw new Problem('malformed-request', bad, {
      action: 'Send a key of 1 to 255 characters of printable ASCII, such as a UUID, or none.',
    })
  return { key, fingerprint }
}

/** Waits for the call, stops it when the caller disconnects, and writes its outcome. */
async function answer(services: HttpServices, ctx: HttpContext, { running, events }: Begun): Promise<CallOutcome> {
  const { exchange } = ctx.state
  const { res } = ctx
  const hangUp = (): void => {
    if (res.writableFinished) return
    running.hangUp()
    countAbort(services, ctx)
  }
  res.on('close', hangUp)
  // Disconnected during authentication: the event has already fired.
  if (res.closed) hangUp()
  const outcome = await running.outcome.catch((error: unknown) => {
    events?.breakOff()
    throw error
  })
  res.off('close', hangUp)
  // An answer that did not fit into the budget is wasted work, unless it is a replayed one.
  const wasted = outcome.costly || (outcome.recorded && boundedResponse(ctx)?.overdrawn === true)
  if (wasted && exchange.caller !== null) services.aborts.count(exchange.caller.account.id)
  exchange.creditsUsed = outcome.creditsUsed
  exchange.creditsCharged = outcome.charged
  exchange.failure = { slug: outcome.slug, internal: outcome.internal }
  exchange.provider = outcome.provider
  if (outcome.balance !== null) exchange.balance = outcome.balance
  if (res.destroyed || res.closed) {
    exchange.written = true
    // Only for metrics and the log: the caller has disconnected.
    res.statusCode = 499
    exchange.failure = { ...exchange.failure, slug: 'client-closed' }
    if (!outcome.isFinal) exchange.creditsUsed = exchange.creditsCharged = 0
    await outcome.lost()
    return outcome
  }
  watchDelivery(services, ctx, outcome)
  if (events !== null && (events.started || outcome.problem === null)) {
    exchange.outcomeStatus = outcome.status
    events.finish(outcome)
  } else writeOutcome(services, ctx, outcome)
  return outcome
}

/** Counts an aborted call, unless its answer is kept for a repeated request. */
function countAbort(services: HttpServices, ctx: HttpContext): void {
  const { caller } = ctx.state.exchange
  if (caller !== null && ctx.req.headers['idempotency-key'] === undefined) services.aborts.count(caller.account.id)
}

/** An answer is refunded when less than this share was written before its caller disconnected. */
const DELIVERED_SHARE = 0.5

/** Settles a charged answer by its delivery: refunds it when less than half was written. A partial answer counts as an abort. */
function watchDelivery(services: HttpServices, ctx: HttpContext, outcome: CallOutcome): void {
  const { res } = ctx
  const { exchange } = ctx.state
  const { socket } = ctx.req
  const ended = services.calls.refunds.writing()
  const finished = (): void => {
    res.off('close', closed)
    // Node also emits `finish` when a peer disconnected during the last write; the socket is then already destroyed.
    if (socket.destroyed) return closed()
    outcome.delivered()
    ended()
    settled()
  }
  const closed = (): void => {
    res.off('finish', finished)
    countAbort(services, ctx)
    if (!outcome.isFinal && (boundedResponse(ctx)?.takenShare ?? 0) >= DELIVERED_SHARE) {
      outcome.delivered()
      ended()
      services.log('answer-not-delivered', 'the caller left before the whole answer was written, of which the larger part was', {
        request_id: exchange.requestId,
        refunded: 0,
      })
      return settled()
    }
    const refund = outcome.lost()
    if (!outcome.isFinal) exchange.creditsCharged = 0
    ended()
    settled()
    services.log('answer-not-delivered', 'the caller left before the whole answer was written', {
      request_id: exchange.requestId,
      refunded: outcome.isFinal ? 0 : toCredits(outcome.creditsUsed),
    })
    refund.catch((error: unknown) =>
      services.log('refund-pending', 'a charge could not be refunded yet; the sweeper will refund it', {
        error: String(error),
        request_id: exchange.requestId,
      }),
    )
  }
  const settled = (): void => {
    exchange.delivery = 'over'
    exchange.report?.()
  }
  exchange.delivery = 'awaited'
  res.once('finish', finished)
  res.once('close', closed)
}

/** The direction of a capability's own path. */
export function ownPath(services: HttpServices, loaded: LoadedCapability): Direction {
  const { capability } = loaded
  return {
    route: capability.path,
    bodyLimit: capability.bodyLimit ?? services.settings.limits.body,
    heavy: (capability.work ?? 'light') !== 'light',
    agent: null,
    direct: () => ({ loaded, via: null, at: 'body' }),
  }
}

/** Checks the parameters by schema, fills in defaults, and applies the rules over several fields. Throws all faults of a stage at once. */
export function checkedInput(loaded: LoadedCapability, given: unknown, root: readonly string[]): unknown {
  return normalInput(loaded, validated(loaded.input, given, root), root)
}

function normalInput(loaded: LoadedCapability, given: unknown, root: readonly string[]): unknown {
  const input = normalised(loaded.capability, given)
  const found = violations(loaded.capability, input)
  if (found.length > 0) throw validationFailed(violationItems(found, root))
  return input
}

/** The body limit of an endpoint that serves any capability. */
export function widestBody(services: HttpServices): number {
  return Math.max(
    LIGHT_BODY,
    services.settings.limits.body,
    ...[...services.registry().capabilities.values()].map(({ capability }) => capability.bodyLimit ?? 0),
  )
}
