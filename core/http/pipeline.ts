import Koa from 'koa'
import { authorise } from '../accounts/caller.js'
import { badKey } from '../calls/idempotency/fingerprint.js'
import type { CallOrder } from '../calls/order.js'
import { startCall } from '../calls/run.js'
import type { EntryResult } from '../limits/concurrency.js'
import type { LoadedCapability } from '../loader/types.js'
import { Problem } from '../problems/problem.js'
import { GrowingBuffer } from '../runtime/growing-buffer.js'
import { answer, EventWriter, wantsEvents } from './answer.js'
import { authenticate } from './authenticate.js'
import { receive } from './body.js'
import { boundedResponse } from './bounded-response.js'
import { cors, endsWithCaller } from './headers.js'
import { AGENT_PATH, byName, byPath, type Direction, namedIn, productOf } from './direction.js'
import { handleErrors } from './errors.js'
import type { HttpContext, HttpMiddleware, State } from './exchange.js'
import { isLarge, parseObject } from './json.js'
import { lists } from './lists.js'
import { notAllowed, type Route } from './route.js'
import { admitByRoute, routing } from './router.js'
import { agentInput, smallBody, type SentBody } from './sent-body.js'
import type { HttpServices } from './services.js'
import { target } from './target.js'
import { withRules } from './validation.js'

/** The order in which a request is handled. Read this first, then `paidCall`; each step is one file. */
export function pipeline(services: HttpServices, routes: readonly Route[]): Koa<State> {
  const app = new Koa<State>()
  app.silent = true
  app.use(handleErrors(services)) //                   turns every thrown error into an answer: 500 when it is no Problem
  app.use(target) //                                   400
  app.use(cors(services.settings.server.cors_origins)) // 204 for a preflight request
  app.use(paidCalls(services)) //                      405, and the statuses of `paidCall`
  app.use(services.mcp(services)) //                   MCP, whose calls come in again as paid calls: 401 403 429
  app.use(lists(services)) //                          free lists of capabilities: 401 403 405 422 429
  const { matched, unmatched } = routing(services, routes, admitByRoute, () => capabilityPaths(services))
  app.use(matched) //                                  all other routes
  app.use(unmatched) //                                404 405
  app.on('error', (error: unknown) => services.log('answer-not-written', 'an answer could not be written', { error: String(error) }))
  return app
}

/** Routes paid calls by a lookup in the registry, before any pattern, because these are the busiest. */
function paidCalls(services: HttpServices): HttpMiddleware {
  const agent = services.compiler.compileInput(agentInput)
  return (ctx, next) => {
    const { path } = ctx
    const loaded = services.registry().byPath.get(path)
    if (loaded === undefined && path !== AGENT_PATH) return next()
    ctx.state.exchange.route = loaded?.capability.path ?? AGENT_PATH
    if (ctx.method !== 'POST') throw notAllowed(['POST'], ctx.method, { action: AS_JSON })
    return paidCall(services, ctx, loaded === undefined ? byName(services, agent) : byPath(services, loaded))
  }
}

const AS_JSON = 'Send the parameters as a JSON object in the body of a POST.'

/** Paths of capabilities and their lists. */
function capabilityPaths({ registry }: HttpServices): string[] {
  const { byPath: paths, lists: listed } = registry()
  return [AGENT_PATH, ...paths.keys(), ...listed.keys()]
}

/**
 * The steps of a paid call in order, each with the statuses that it may end in. A step that refuses throws a Problem,
 * which `handleErrors` answers. From `startCall` on `calls/run.ts` answers every failure itself and reverses the hold.
 */
async function paidCall(services: HttpServices, ctx: HttpContext, direction: Direction): Promise<void> {
  const { exchange } = ctx.state
  const response = boundedResponse(ctx)
  let { loaded } = direction
  let place: Extract<EntryResult, { refusal: null }> | null = null
  let recorded = false
  // Shed load: 503.
  services.shedder.admit(direction.heavy)
  try {
    // Authenticate: 401, or 429 after too many failures.
    const caller = await authenticate(services, ctx, 'charged')
    // Limit rate and concurrency of the key: 429.
    const entry = await services.concurrency.enter(caller.key.id, caller.key.rate_limit_per_minute)
    exchange.rate = entry.rate
    if (entry.refusal !== null) throw entry.refusal
    place = entry
    services.keyUses.used(caller.key.id)
    if (response !== null) response.working = true
    // Limit memory of the account, then what `accountLimits` of the container lists: 503, 429.
    services.bytes.admit(caller.account.id, services.shedder.memoryShort)
    for (const limit of services.accountLimits) {
      const refused = limit.refuse(caller.account.id)
      if (refused instanceof Promise) await refused
    }
    // Read the body: 400 413 415, or 503 when there is no memory for it.
    const body = await readBody(services, ctx, { account: caller.account.id, direction })
    let input: unknown
    try {
      // Validate: 422, or 413 for a capability with a lower limit than `/v1/agent`.
      loaded ??= namedIn(services, body)
      const given = body.input(loaded.input, direction.at)
      input = withRules(loaded, given instanceof Promise ? await given : given, direction.at === 'body' ? ['body'] : ['body', 'params'])
    } finally {
      body.close()
    }
    // Authorize: 403.
    authorise(caller, loaded.capability.id, exchange.address)
    // Read the headers and the query of a call: 400 for the Idempotency-Key, 422 for the product.
    const idempotency = idempotencyOf(ctx, body.fingerprint)
    exchange.via = direction.via
    const events = wantsEvents(ctx) ? new EventWriter(services, ctx) : null
    // Start the call: 409 422 for the Idempotency-Key, 402 403 for the hold, 503 without a place or a provider. Then the
    // waterfall runs (422 502 503 504) and the answer is charged (200): calls/run.ts.
    const running = startCall(services, {
      caller,
      loaded,
      input,
      requestId: exchange.requestId,
      product: productOf(services, ctx),
      via: direction.via,
      idempotency,
      started: exchange.started,
      room: response,
      onProgress: events === null ? null : (progress) => events.progress(progress),
      onAdmitted: events === null ? null : () => events.start(),
      refresh: () => services.authenticator.refresh(caller),
    })
    // Write the answer, and refund it when it is not delivered.
    const outcome = await answer(services, ctx, { running, events })
    recorded = outcome.recorded
    if (!recorded && outcome.problem !== null) countRefusal(services, ctx, { status: outcome.status, loaded, route: direction.route })
  } catch (error) {
    if (!recorded && error instanceof Problem) countRefusal(services, ctx, { status: error.status, loaded, route: direction.route })
    throw error
  } finally {
    const taken = place
    if (taken !== null) {
      response?.worked()
      // The place is held until the answer is written, since the answer is in memory until then.
      if (ctx.res.closed) taken.leave()
      else ctx.res.on('close', () => taken.leave())
    }
  }
}

/** Statuses of calls refused before the ledger that count in the caller's statistics. */
const COUNTED = new Set([402, 403, 422, 429])

function countRefusal(
  { refusals }: HttpServices,
  ctx: HttpContext,
  { status, loaded, route }: { readonly status: number; readonly loaded: LoadedCapability | null; readonly route: string },
): void {
  const { caller } = ctx.state.exchange
  if (caller === null || !COUNTED.has(status)) return
  refusals.count(caller.account.id, loaded?.capability.path ?? route, loaded?.capability.id ?? '', status)
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
  return { key, fingerprint, cancelOnDisconnect: endsWithCaller(ctx) }
}
