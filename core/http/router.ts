import Router from '@koa/router'
import { Readable } from 'node:stream'
import { Problem } from '../problems/problem.js'
import { nearest } from '../sdk/nearest.js'
import { authenticateAdmin, authenticateKey, limitAddress } from './authenticate.js'
import { boundedResponse } from './bounded-response.js'
import type { HttpContext, HttpMiddleware, State } from './exchange.js'
import { type Answer, notAllowed, type Route } from './route.js'
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

/** Most words of a path that may be misspelt. */
const MOST_WRONG = 3
/** Prefixes that may be missing or superfluous. */
const PREFIXES = ['/v1', '/admin/v1', '/admin', '']
const LONGEST = 100

/**
 * The most likely known path (with parameters in braces) for a mistyped one: equal except for case, a trailing slash, dots
 * or the version prefix; else one of as many words, each equal or similar; else its longest known parent; else the only
 * path that extends it or has the same last word. Null when none is similar.
 */
export function nearestPath(given: string, known: readonly string[]): string | null {
  if (given.length > LONGEST) return null
  const path = given.toLowerCase().replace(/(?<!\/)\/+$/, '')
  const bare = PREFIXES.map((prefix) => (path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : null)).filter((each) => each !== null)
  const same = PREFIXES.flatMap((prefix) => bare.map((rest) => `${prefix}${rest}`))
  const meant = same.flatMap((each) => [each, each.replaceAll('.', '/')]).find((each) => known.includes(each))
  if (meant !== undefined) return meant
  for (const each of [path, ...same]) {
    const near = byWords(each, known)
    if (near !== null) return near
  }
  return above(path, known)
}

function byWords(path: string, known: readonly string[]): string | null {
  const words = path.split('/')
  let best = MOST_WRONG + 1
  let found: string | null = null
  for (const template of known) {
    const wanted = template.split('/')
    if (wanted.length !== words.length) continue
    const wrong = wanted.reduce((sum, word, at) => sum + wrongness(words[at] ?? '', word), 0)
    if (wrong >= best) continue
    best = wrong
    found = template
  }
  return found
}

/** 0 for the same word or any value of a parameter, 1 for a similar word, otherwise Infinity. */
function wrongness(given: string, wanted: string): number {
  if (given === wanted) return 0
  if (wanted.startsWith('{')) return given === '' ? Infinity : 0
  return nearest(given, [wanted]) === null ? Infinity : 1
}

function above(path: string, known: readonly string[]): string | null {
  const words = path.split('/')
  for (let length = words.length - 1; length > 2; length--) {
    const shorter = words.slice(0, length).join('/')
    if (known.includes(shorter)) return shorter
  }
  const last = words.at(-1) ?? ''
  const [only, ...others] = known.filter((each) => each.startsWith(`${path}/`) || (last !== '' && each.endsWith(`/${last}`)))
  return only === undefined || others.length > 0 ? null : only
}
