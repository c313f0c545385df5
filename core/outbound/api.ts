import { Pool, type Dispatcher } from 'undici'
import type { Cancel } from '../cancel.js'
import type { Clock } from '../clock.js'
import { recentlyUsed, type Recent } from '../recent.js'
import { Fault, type Call, type Reply } from '../sdk/index.js'
import type { Connector } from './connector.js'
import { TrackedClient, connector } from './tracked-connection.js'
import { Exchange, type Head } from './exchange.js'
import type { Hooks } from './hooks.js'
import { JoinedBody, namedLength } from './page.js'
import type { Api, VendorAccess } from './types.js'
import { location } from './redirect.js'
import { LargeReplies } from './large-replies.js'
import { isLargeReply, readBody, type ReadBody } from './reply-body.js'
import { methodOf, requestBody } from './request-body.js'
import { requestPath, withQuery } from './request-path.js'
import { RetryBudget } from './retry-budget.js'
import { noRoute } from './no-route.js'
import { ownLack } from '../own-lack.js'
import { failureFault, statusFault, toldFault } from './vendor-fault.js'
import { VendorPlan, type Destination, type Route } from './vendor-plan.js'
import { parseUrl } from '../sdk/url.js'

const MAX_BYTES = 10 << 20
const CONNECTIONS = 128
const MAX_REDIRECTS = 3
/** Origins named by replies whose connections are kept; the one used longest ago is closed behind its last request. */
const NAMED_ORIGINS = 256
/** Bytes of a reply that a log line may be made of. */
const LONG = 64 << 10
const TRACES = new Set(['x-request-id', 'request-id', 'x-trace-id', 'cf-ray', 'retry-after'])
/** The call's own deadline is shorter; these only end what was forgotten. */
const LIMITS = {
  keepAliveTimeout: 4_000,
  keepAliveMaxTimeout: 60_000,
  maxHeaderSize: 32 << 10,
  headersTimeout: 330_000,
  bodyTimeout: 60_000,
}

export interface ApiDeps {
  readonly dialer: Connector
  readonly clock: Clock
  readonly userAgent: string
  readonly hooks: Hooks
  /** Origins named by replies that are kept, default 256. */
  readonly namedOrigins?: number
}

/** A request ready for the wire. */
interface Wire {
  readonly destination: Destination
  readonly method: NonNullable<Call['method']>
  /** Without the signature's fields. */
  readonly path: string
  readonly signedPath: string
  readonly headers: string[]
  readonly body: string | Buffer | null
  readonly maxBytes: number
}
interface Answer extends Head {
  readonly bytes: Uint8Array
}
type Outcome =
  | { readonly answer: Answer; readonly error: null }
  | { readonly answer: null; readonly error: unknown; readonly left: boolean; readonly stale: boolean }

/** Calls to vendors over kept-alive connections: signed, bounded, repeated only where that is safe, every failure a Fault. */
export class VendorApi implements Api {
  readonly #parts: ApiDeps
  readonly #plans = new WeakMap<VendorAccess, VendorPlan>()
  readonly #pools = new Map<string, Pool>()
  readonly #named: Recent<Pool>
  readonly #budget = new RetryBudget()
  readonly #large: LargeReplies

  constructor(parts: ApiDeps) {
    this.#parts = parts
    this.#large = new LargeReplies(parts.clock)
    this.#named = recentlyUsed(parts.namedOrigins ?? NAMED_ORIGINS, { dispose: (pool: Pool) => void pool.close() })
  }

  async request(
    access: VendorAccess,
    call: Call,
    cancel: Cancel,
    { once }: { once: boolean },
  ): Promise<Reply & { readonly url: string; readonly bytes: Uint8Array }> {
    const plan = this.#plan(access)
    const wire = wired(plan, call)
    const outcome = await this.#sent(wire, cancel, once)
    this.#parts.hooks.onRequest?.({ kind: 'api', vendor: access.vendor.id, status: outcome.answer?.status ?? null })
    if (outcome.answer === null) {
      const internal = line(plan, wire)
      const own = outcome.left ? null : (ownLack(outcome.error) ?? noRoute(outcome.error, internal))
      throw own ?? failureFault(outcome.error, outcome.left, { once, internal })
    }
    const { answer } = outcome
    const form = { header: answer.headers['content-type'], reads: call.reads ?? 'json', ok: isSuccess(answer) }
    // Of a long reply the beginning is enough for the log; its bytes go to another thread.
    const start = answer.bytes.length > LONG ? Buffer.from(answer.bytes.subarray(0, LONG)) : null
    const read = isLargeReply(answer.bytes, form)
      ? await this.#large.read(answer.bytes, form, { cancel, once })
      : readBody(answer.bytes, form)
    return this.#reply({ access, plan, wire, once }, answer, { ...read, start })
  }

  async close(): Promise<void> {
    await Promise.all([this.#large.close(), ...[...this.#pools.values(), ...this.#named.values()].map((pool) => pool.destroy())])
  }

  #plan(access: VendorAccess): VendorPlan {
    const known = this.#plans.get(access)
    if (known !== undefined) return known
    const plan = new VendorPlan(access, this.#parts.userAgent, (origin, from) =>
      this.#route(origin, access.operatorUrl, from === 'reply' ? this.#named : this.#pools),
    )
    this.#plans.set(access, plan)
    return plan
  }

  #route(origin: string, operator: boolean, pools: Pick<Map<string, Pool>, 'get' | 'set'> | Recent<Pool>): Route {
    const open = connector(this.#parts.dialer, operator ? 'operator' : 'vendor')
    const factory = (url: URL, own: object): TrackedClient => new TrackedClient(url, own, open)
    const key = `${operator ? 'operator' : 'vendor'} ${origin}`
    const pool = pools.get(key) ?? new Pool(origin, { ...LIMITS, connect: open, connections: CONNECTIONS, factory })
    pools.set(key, pool)
    return { pool, fresh: () => new TrackedClient(origin, LIMITS, open) }
  }

  /** Sends, follows the vendor's own redirects, and repeats once when a kept-alive connection had died. */
  async #sent(wire: Wire, cancel: Cancel, once: boolean): Promise<Outcome> {
    this.#budget.begin()
    try {
      let outcome = await exchanged(wire, cancel, wire.destination.route.pool)
      if (mayRepeat(outcome, once)) outcome = (await this.#repeated(wire, cancel)) ?? outcome
      for (let hop = wire, count = 0; count < MAX_REDIRECTS && outcome.answer !== null; count++) {
        const target = wire.method === 'GET' ? sameOrigin(hop, outcome.answer) : null
        if (target === null) return outcome
        hop = { ...hop, path: target, signedPath: target }
        outcome = await exchanged(hop, cancel, hop.destination.route.pool)
        if (mayRepeat(outcome, once)) outcome = (await this.#repeated(hop, cancel)) ?? outcome
      }
      return outcome
    } finally {
      this.#budget.end()
    }
  }

  /** The request once more, on a new connection; null when too many are repeated already. */
  async #repeated(wire: Wire, cancel: Cancel): Promise<Outcome | null> {
    const giveBack = this.#budget.take()
    if (giveBack === null) return null
    const fresh = wire.destination.route.fresh()
    try {
      return await exchanged(wire, cancel, fresh)
    } finally {
      giveBack()
      await fresh.destroy()
    }
  }

  /** The vendor's reply, or the Fault that it tells. */
  #reply(
    { access, plan, wire, once }: { access: VendorAccess; plan: VendorPlan; wire: Wire; once: boolean },
    { status, headers, bytes }: Answer,
    { body, fits, start }: ReadBody & { readonly start: Buffer | null },
  ): Reply & { url: string; bytes: Uint8Array } {
    const ok = isSuccess({ status })
    const reply = { status, headers, body }
    const told = access.vendor.fault?.(reply)
    if (told !== undefined) throw toldFault(told, status)
    if (ok && fits) return { ...reply, bytes, url: wire.destination.origin + wire.path }
    const internal = `${line(plan, wire)} -> ${status}${traces(plan, headers)}: ${plan.redactor.excerpt(start?.toString() ?? textOf(body), 300)}`
    if (!ok) throw statusFault(status, headers['retry-after'], this.#parts.clock.now(), { once, internal })
    throw new Fault('broken', 'the vendor answered with a body that cannot be read', { internal, ambiguous: once })
  }
}

function isSuccess({ status }: { readonly status: number }): boolean {
  return status >= 200 && status < 300
}

/** True when a kept-alive connection had died and the request may be sent again. */
function mayRepeat(outcome: Outcome, once: boolean): boolean {
  return !once && outcome.answer === null && outcome.stale
}

function wired(plan: VendorPlan, call: Call): Wire {
  const destination = call.address === undefined ? plan.destination(call.host) : plan.named(call.address)
  const path = requestPath(destination.prefix, call)
  const { data, contentType } = requestBody(call, plan.signature.json)
  return {
    destination,
    method: methodOf(call),
    path,
    signedPath: withQuery(path, plan.query),
    headers: plan.headers(call, contentType),
    body: data,
    maxBytes: call.maxBytes ?? MAX_BYTES,
  }
}

function exchanged(wire: Wire, cancel: Cancel, dispatcher: Dispatcher): Promise<Outcome> {
  return new Promise((resolve) => {
    let joined = new JoinedBody(0)
    let head: Head = { status: 0, headers: {} }
    const exchange: Exchange = new Exchange({
      maxBytes: wire.maxBytes,
      cancel,
      bodyless: wire.method === 'HEAD',
      head: (received) => {
        head = received
        joined = new JoinedBody(namedLength(received.headers, wire.maxBytes))
        return true
      },
      sink: {
        chunk: (data) => joined.add(data),
        end: () => resolve({ answer: { status: head.status, headers: head.headers, bytes: joined.bytes() }, error: null }),
        fail: (error) => resolve({ answer: null, error, left: exchange.left, stale: exchange.staleConnection }),
      },
    })
    const { destination, method, signedPath, headers, body } = wire
    exchange.start(dispatcher, { origin: destination.origin, path: signedPath, method, headers, body, exchange })
  })
}

/** The path of a redirect that stays on the same origin, where our credentials may go; else null. */
function sameOrigin(wire: Wire, answer: Answer): string | null {
  const target = location(answer)
  if (target === null) return null
  const base = wire.destination.origin + wire.signedPath
  const url = parseUrl(target, base)
  return url !== null && url.origin === wire.destination.origin ? url.pathname + url.search : null
}

function line(plan: VendorPlan, { method, path }: Wire): string {
  return `${method} ${plan.redactor.excerpt(path.split('?', 1)[0] ?? '', 120)}`
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : (JSON.stringify(body) ?? '')
}

/** Headers by which the vendor can find the request again. */
function traces(plan: VendorPlan, headers: Head['headers']): string {
  const kept = Object.entries(plan.redactor.headers(headers)).filter(([name]) => TRACES.has(name))
  return kept.map(([name, value]) => ` ${name}=${value.slice(0, 100)}`).join('')
}
