import Router from '@koa/router'
import { Readable } from 'node:stream'
import { Problem } from '../problems/problem.js'
import { nearestPath } from './nearest-path.js'
import { limitAddress, authenticateAdmin, authenticateKey } from './authenticate.js'
import type { HttpContext, HttpMiddleware, State } from './exchange.js'
import { boundedResponse } from './bounded-response.js'
import { notAllowed, type Answer, type Route } from './route.js'
import type { HttpServices } from './services.js'

const LISTED = 'Compare the path with GET /v1/openapi.json, which lists every endpoint.'
/** Probes: cheap, and requested so often by monitoring that the address's rate limit does not apply. */
const UNLIMITED = new Set(['/healthz', '/readyz'])

/** Authenticates a request to a route. Throws the refusal. */
export type Admission = (services: HttpServices, ctx: HttpContext, route: Route) => Promise<void>

/** All other routes, and answers 404 and 405; `beside`: paths served elsewhere, for suggestions after a typo. */
export function routing(services: HttpServices, routes: readonly Route[], admit: Admission, beside: () => readonly string[] = () => []) {
  const router = new Router<State>({ strict: true })
  for (const route of routes) {
    router.register(route.doc.path.replace(/\{(\w+)\}/g, ':$1'), [route.doc.method.toLowerCase()], async (ctx) => {
      ctx.state.exchange.route = route.doc.path
      ctx.state.exchange.lingers = route.doc.bodyMedia !== undefined
      await admit(services, ctx, route)
      write(ctx, await route.answer(ctx, ctx.params))
    })
  }
  const unmatched: HttpMiddleware = (ctx) => {
    const { path } = router.match(ctx.path, ctx.method)
    const methods = [...new Set(path.flatMap((layer) => layer.methods))]
    if (methods.length > 0) throw notAllowed(methods, ctx.method)
    const near = nearestPath(ctx.path, [...beside(), ...routes.map(({ doc }) => doc.path)])
    throw new Problem('not-found', `No endpoint has this path${near === null ? '' : `; did you mean ${near}?`}`, { action: LISTED })
  }
  return { matched: router.routes(), unmatched }
}

/** Authenticates by key or admin token, or applies the address's rate limit, by the route's access. */
export const admitByRoute: Admission = async (services, ctx, { doc }) => {
  if (doc.access === 'key') await authenticateKey(services, ctx)
  else if (!UNLIMITED.has(doc.path)) {
    if (doc.access === 'open') services.shedder.shed(false)
    await limitAddress(services, ctx)
  }
  if (doc.access === 'admin') authenticateAdmin(services, ctx)
}

function write(ctx: HttpContext, answer: Answer): void {
  const response = boundedResponse(ctx)
  ctx.status = answer.status ?? 200
  if ('json' in answer) {
    const text = JSON.stringify(answer.json)
    response?.reserve(text.length)
    ctx.type = 'application/json; charset=utf-8'
    ctx.body = text
  } else {
    const { content, shared } = answer
    if (response !== null) response.shared = shared === true
    ctx.body = typeof content === 'string' || Buffer.isBuffer(content) || content instanceof Readable ? content : Readable.from(content)
    ctx.set('Content-Type', answer.media)
  }
  for (const name in answer.headers) ctx.set(name, answer.headers[name] ?? '')
}
