import { Problem } from '../problems/problem.js'
import { type Call, Fault, type Reply } from '../sdk/index.js'
import type { Readable } from 'node:stream'
import { Pool } from 'undici'
import type { Cancel } from '../runtime/cancel.js'
import type { Clock } from '../runtime/clock.js'
import { IdleLimit } from '../runtime/idle-limit.js'
import { type Recent, recentlyUsed } from '../runtime/recent.js'
import type { Connector } from './connector.js'
import { connector, TrackedClient } from './tracked-connection.js'
import { type Head, location } from './exchange.js'
import type { Api, ApiOptions, ApiStream, Hooks } from './types.js'
import type { VendorAccess } from '../sdk/host.js'
import { loggedPath, type Pools, VendorPlan } from './vendor-plan.js'
import { LargeReplies } from './large-replies.js'
import { isLargeReply, readBody, type ReadBody } from './reply-body.js'
import { ownShortage } from '../problems/own-shortage.js'
import { failureFault, statusFault, vendorFault } from './vendor-fault.js'
import { StreamedBody, type Watch } from './request-body.js'
import { type WireReply, exchanged, isSuccess, type WireOutcome, type Sending, type Wire, wired } from './wire.js'
import { parseUrl } from '../sdk/url.js'

const SHARE = 0.2
const LEAST = 3

/** Caps repeats over all vendors: at any moment at most a fifth of the requests under way, and never fewer than 3, are repeats. */
export class RetryBudget {
  #active = 0
  #repeats = 0

  begin(): void {
    this.#active++
  }

  end(): void {
    this.#active--
  }

  /** Takes a repeat from the budget; the returned function returns it. Null when the budget is used up. */
  take(): (() => void) | null {
    if (this.#repeats >= Math.max(LEAST, this.#active * SHARE)) return null
    this.#repeats++
    return () => {
      this.#repeats--
    }
  }
}

/** Connection errors of this machine itself, before anything was sent (connect(2)). */
const NO_ROUTE: ReadonlySet<unknown> = new Set(['ENETUNREACH', 'ENETDOWN'])

/**
 * Fault `busy` that does not count against the vendor (`overloaded` to the caller) when this machine has no route to any address of a
 * vendor; else null. Unlike other local failures it may concern one vendor only, such as one with IPv6 addresses only: the next is tried.
 * `internal` names the request.
 */
function noRoute(error: unknown, internal: string): Fault | null {
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error]
  const codes = errors.map((each) => (each instanceof Error && 'code' in each ? each.code : undefined))
  if (codes.length === 0 || !codes.every((code) => NO_ROUTE.has(code))) return null
  const message = 'The gateway has no route to the vendor.'
  const cause = new Problem('overloaded', message, { retryAfterSeconds: 5, internal: String(codes[0]), cause: error })
  return new Fault('busy', message, { unavailable: true, internal: `${internal} -> ${String(codes[0])}`, cause })
}

/** Longest time in which no byte of a file moves, in milliseconds. */
export const IDLE_MS = 30_000
const CONNECTIONS = 128
const MAX_REDIRECTS = 3
/** Origins named by replies whose connections are kept; the least recently used one is closed after its request. */
const NAMED_ORIGINS = 256
/** Bytes of a reply from which a log excerpt is made. */
const LONG = 64 << 10
const TRACES = new Set(['x-request-id', 'request-id', 'x-trace-id', 'cf-ray', 'retry-after'])
/** The call's own deadline is shorter; these limits only catch leaked requests. */
const LIMITS = {
  keepAliveTimeout: 4_000,
  keepAliveMaxTimeout: 60_000,
  maxHeaderSize: 32 << 10,
  headersTimeout: 330_000,
  bodyTimeout: 60_000,
}

interface ApiDeps {
  readonly dialer: Connector
  readonly clock: Clock
  readonly userAgent: string
  readonly hooks: Hooks
  /** Origins named by replies that are kept, default 256. */
  readonly namedOrigins?: number
}

/** A request that was sent, and its vendor. */
interface Sent {
  readonly access: VendorAccess
  readonly plan: VendorPlan
  readonly wire: Wire
  readonly once: boolean
}

const UNWATCHED: Watch = { moved: () => undefined, rest: () => undefined }

/** Requests to vendors over kept-alive connections: signed, bounded, repeated only where that is safe; every failure is a Fault. */
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
    { once, files, moved }: ApiOptions,
  ): Promise<Reply & { readonly url: string; readonly bytes: Uint8Array }> {
    const plan = this.#plan(access)
    const wire = wired(plan, call, { files })
    const sent = { access, plan, wire, once }
    const sending = this.#sending({ plan, wire, once, moved }, cancel)
    try {
      const reply = this.#read(sent, await this.#answered(sent, sending), { call, cancel })
      return reply instanceof Promise ? await reply : reply
    } finally {
      sending.limit?.done()
    }
  }

  async stream(access: VendorAccess, call: Call, cancel: Cancel, { once, files, moved }: ApiOptions): Promise<ApiStream> {
    const plan = this.#plan(access)
    const wire = wired(plan, { ...call, reads: 'bytes' }, { files, streams: true })
    const sending = this.#sending({ plan, wire, once, moved }, cancel)
    let body: Readable | null = null
    try {
      const answer = await this.#answered({ access, plan, wire, once }, sending)
      body = answer.body
      if (body !== null) return { status: answer.status, headers: answer.headers, url: wire.destination.origin + wire.path, body }
      const elsewhere = wire.method === 'GET' ? foreign(wire, answer) : null
      if (elsewhere !== null) return { elsewhere }
      await this.#read({ access, plan, wire, once }, answer, { call: { ...call, reads: 'bytes' }, cancel })
      throw new Fault('broken', 'the vendor answered without a file', { internal: line(plan, wire), ambiguous: once })
    } finally {
      if (body === null) sending.limit?.done()
      else body.once('close', () => sending.limit?.done())
    }
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

  #route(origin: string, operator: boolean, pools: Pick<Map<string, Pool>, 'get' | 'set'> | Recent<Pool>): Pools {
    const open = connector(this.#parts.dialer, operator ? 'operator' : 'vendor')
    const factory = (url: URL, own: object): TrackedClient => new TrackedClient(url, own, open)
    const key = `${operator ? 'operator' : 'vendor'} ${origin}`
    const pool = pools.get(key) ?? new Pool(origin, { ...LIMITS, connect: open, connections: CONNECTIONS, factory })
    pools.set(key, pool)
    return { pool, fresh: () => new TrackedClient(origin, LIMITS, open) }
  }

  /** How a request is sent: one that transfers files ends when no byte moves for `IDLE_MS`. */
  #sending(
    { plan, wire, once, moved }: Omit<Sent, 'access'> & { readonly moved: (() => void) | undefined },
    cancel: Cancel,
  ): Sending & { limit: IdleLimit | null } {
    const failed = (error: unknown): Error => ownShortage(error) ?? failureFault(error, true, { once, internal: line(plan, wire) })
    if (!wire.streams && !(wire.body instanceof StreamedBody)) return { cancel, failed, watch: UNWATCHED, limit: null }
    const limit = new IdleLimit(this.#parts.clock, cancel, IDLE_MS)
    // Before the first byte is sent and while the vendor works, only the call's own deadline applies.
    limit.rest()
    const watch = {
      moved: () => {
        limit.moved()
        moved?.()
      },
      rest: () => limit.rest(),
    }
    return { cancel: limit.cancel, failed, watch, limit }
  }

  /** The vendor's reply, of any status. Throws a Fault when there is none. */
  #answerOf({ access, plan, wire, once }: Sent, outcome: WireOutcome): WireReply {
    this.#parts.hooks.onRequest?.({ kind: 'api', vendor: access.vendor.id, status: outcome.answer?.status ?? null })
    if (outcome.answer !== null) return outcome.answer
    const internal = line(plan, wire)
    if (outcome.error instanceof Problem) throw outcome.error
    const own = outcome.left ? null : (ownShortage(outcome.error) ?? noRoute(outcome.error, internal))
    throw own ?? failureFault(outcome.error, outcome.left, { once, internal })
  }

  #read(sent: Sent, answer: WireReply, { call, cancel }: { readonly call: Call; readonly cancel: Cancel }) {
    const form = { header: answer.headers['content-type'], reads: call.reads ?? 'json', ok: isSuccess(answer) }
    // The log needs only the beginning of a long reply, whose bytes move to another thread.
    const start = answer.bytes.length > LONG ? Buffer.from(answer.bytes.subarray(0, LONG)) : null
    if (!isLargeReply(answer.bytes, form)) return this.#reply(sent, answer, readBody(answer.bytes, form), start)
    const reading = this.#large.read(answer.bytes, form, { cancel, once: sent.once })
    return reading.then((read) => this.#reply(sent, answer, read, start))
  }

  /** Sends, follows redirects within the origin, and repeats once when a kept-alive connection was closed. Rejects with a Fault when there is no reply. */
  async #answered(sent: Sent, sending: Sending): Promise<WireReply> {
    const { wire, once } = sent
    this.#budget.begin()
    try {
      let outcome = await exchanged(wire, sending, wire.destination.route.pool)
      if (mayRepeat(outcome, once)) outcome = (await this.#repeated(wire, sending)) ?? outcome
      for (let hop = wire, count = 0; count < MAX_REDIRECTS && outcome.answer !== null; count++) {
        const target = wire.method === 'GET' ? sameOrigin(hop, outcome.answer) : null
        if (target === null) return this.#answerOf(sent, outcome)
        hop = { ...hop, path: target, signedPath: target }
        outcome = await exchanged(hop, sending, hop.destination.route.pool)
        if (mayRepeat(outcome, once)) outcome = (await this.#repeated(hop, sending)) ?? outcome
      }
      return this.#answerOf(sent, outcome)
    } finally {
      this.#budget.end()
    }
  }

  /** Repeats the request on a new connection; null when the retry budget is used up. */
  async #repeated(wire: Wire, sending: Sending): Promise<WireOutcome | null> {
    const releaseBudget = this.#budget.take()
    if (releaseBudget === null) return null
    const fresh = wire.destination.route.fresh()
    let body: Readable | null = null
    try {
      const outcome = await exchanged(wire, sending, fresh)
      body = outcome.answer?.body ?? null
      return outcome
    } finally {
      releaseBudget()
      if (body === null) await fresh.destroy()
      else body.once('close', () => void fresh.destroy())
    }
  }

  /** The vendor's reply, or throws the Fault that it reports. */
  #reply(
    { access, plan, wire, once }: Sent,
    { status, headers, bytes }: WireReply,
    { body, fits }: ReadBody,
    start: Buffer | null,
  ): Reply & { url: string; bytes: Uint8Array } {
    const ok = isSuccess({ status })
    const reply = { status, headers, body }
    const fault = access.vendor.fault?.(reply)
    if (fault !== undefined) throw vendorFault(fault, status)
    if (ok && fits) return { status, headers, body, bytes, url: wire.destination.origin + wire.path }
    const reached = `${line(plan, wire)} -> ${status}${traces(plan, headers)}`
    const internal = ok
      ? `${reached}: ${sizeOf(headers, bytes)}`
      : `${reached}: ${plan.redactor.excerpt(start?.toString() ?? textOf(body), 300)}`
    if (!ok) throw statusFault(status, headers['retry-after'], this.#parts.clock.now(), { once, internal })
    throw new Fault('broken', 'the vendor answered with a body that cannot be read', { internal, ambiguous: once })
  }
}

/** True when a kept-alive connection was closed and the request may be sent again. */
function mayRepeat(outcome: WireOutcome, once: boolean): boolean {
  return !once && outcome.answer === null && outcome.stale
}

/** The path of a redirect that stays on the same origin, where our credentials may go; else null. */
function sameOrigin(wire: Wire, answer: WireReply): string | null {
  const url = redirected(wire, answer)
  return url !== null && url.origin === wire.destination.origin ? url.pathname + url.search : null
}

/** The address of a redirect to another origin, else null. */
function foreign(wire: Wire, answer: WireReply): string | null {
  const url = redirected(wire, answer)
  return url !== null && url.origin !== wire.destination.origin ? url.href : null
}

function redirected(wire: Wire, answer: WireReply): URL | null {
  const target = location(answer)
  return target === null ? null : parseUrl(target, wire.destination.origin + wire.signedPath)
}

/** A request as it is logged: without its arguments. */
function line(plan: VendorPlan, { method, path, destination: { prefix, loggedPrefix } }: Wire): string {
  return `${method} ${plan.redactor.excerpt(loggedPrefix + loggedPath(path.slice(prefix.length)), 120)}`
}

/** Describes a successful reply that cannot be read without quoting its body, which may be personal data. */
function sizeOf(headers: Head['headers'], bytes: Uint8Array): string {
  return `${bytes.length} bytes of ${(headers['content-type'] ?? '').slice(0, 100) || 'no content type'}`
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : (JSON.stringify(body) ?? '')
}

/** Headers by which the vendor can identify the request. */
function traces(plan: VendorPlan, headers: Head['headers']): string {
  const kept = Object.entries(headers).filter(([name]) => TRACES.has(name))
  return kept.map(([name, value]) => ` ${name}=${plan.redactor.excerpt(value, 100)}`).join('')
}
