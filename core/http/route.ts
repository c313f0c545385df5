import { Type, type SchemaCompiler, type Static, type TObject } from '../sdk/index.js'
import { Problem, type ProblemOptions } from '../problems/problem.js'
import { readJson } from './body.js'
import type { Exchange, HttpContext } from './exchange.js'
import { readQuery, validated } from './validation.js'
import type { Endpoint } from './discovery/described.js'

/** The description of a route, for OpenAPI and the router. */
interface RouteDoc extends Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
}

/** An answer independent of HTTP: a JSON value, or text or bytes with a media type. */
export type Answer =
  | { readonly json: unknown; readonly status?: number; readonly headers?: Readonly<Record<string, string>> }
  | {
      readonly content: string | Buffer | AsyncIterable<Uint8Array>
      /** The buffer is shared by all requests, so that it counts as memory of none. */
      readonly shared?: true
      readonly media: string
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
    }

interface RouteInput<P extends TObject, Q extends TObject, B extends TObject> {
  readonly params: Static<P>
  readonly query: Static<Q>
  readonly body: Static<B>
  readonly exchange: Exchange
  /** The answer's body is not sent: HEAD. */
  readonly head: boolean
  /** Request header by lower-case name. */
  readonly header: (name: string) => string | undefined
  /** Only for a route that reads its body itself. */
  readonly ctx: HttpContext
}

/** A route ready to be mounted. */
export interface Route {
  readonly doc: RouteDoc
  readonly answer: (ctx: HttpContext, params: Readonly<Record<string, string>>) => Promise<Answer>
}

interface RouteSpec<P extends TObject, Q extends TObject, B extends TObject> extends Omit<RouteDoc, 'params' | 'query' | 'body'> {
  readonly params: P
  readonly query: Q
  readonly body: B
  /** The fields of a multipart/form-data body, which the handler reads itself. */
  readonly form?: TObject
  /** The problem for an invalid request where its faults must not be disclosed. */
  readonly violation?: () => Problem
  readonly handle: (input: RouteInput<P, Q, B>) => Promise<Answer>
}

/** Limits of bodies of routes that are not capabilities: few enough values to check on the event loop. */
const BODY = { limit: 1024 * 1024, mostValues: 5_000 }

const FORM = 'multipart/form-data'

/** For the parts of a request that a route does not have. */
export const none = Type.Object({}, { additionalProperties: false })

/** Joins a route's schemas and handler: the handler receives input checked and typed by these schemas. */
export function route<P extends TObject, Q extends TObject, B extends TObject>(compiler: SchemaCompiler, spec: RouteSpec<P, Q, B>): Route {
  const { handle, violation, form, ...about } = spec
  const hasBody = spec.method !== 'GET' && spec.method !== 'DELETE'
  const doc: RouteDoc = { ...about, body: hasBody ? (form ?? spec.body) : null, ...(form === undefined ? {} : { bodyMedia: FORM }) }
  const params = compiler.compile(spec.params)
  const query = compiler.compile(spec.query)
  const body = compiler.compileInput(spec.body)
  const read = async (ctx: HttpContext, given: Readonly<Record<string, string>>): Promise<RouteInput<P, Q, B>> => {
    try {
      return {
        params: validated(params, { ...given }, ['path']),
        query: validated(query, readQuery(spec.query, new URLSearchParams(ctx.querystring)), ['query']),
        body: validated(body, hasBody && form === undefined ? await readJson(ctx, BODY) : {}, ['body']),
        exchange: ctx.state.exchange,
        head: ctx.method === 'HEAD',
        header: (name) => ctx.get(name) || undefined,
        ctx,
      }
    } catch (error) {
      throw violation === undefined ? error : violation()
    }
  }
  return { doc, answer: async (ctx, given) => await handle(await read(ctx, given)) }
}

/** The problem for a method that an endpoint does not support. */
export function notAllowed(methods: readonly string[], method: string, options: Pick<ProblemOptions, 'action'> = {}): Problem {
  const allow = methods.join(', ')
  return new Problem('method-not-allowed', `This endpoint accepts ${allow}, not ${method}.`, { ...options, headers: { Allow: allow } })
}
