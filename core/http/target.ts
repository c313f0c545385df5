import { Problem } from '../problems/problem.js'
import type { HttpContext, HttpMiddleware } from './exchange.js'
import { parseUrl } from '../sdk/url.js'

const LONGEST = 8_192
/** Ordinary paths, which need no further check. */
const PLAIN = /^\/[A-Za-z0-9._/-]*$/

/**
 * Refuses ambiguous request targets with 400 (an absolute form naming another host, control characters, bad escapes), and
 * removes superfluous slashes from the others.
 */
export const target: HttpMiddleware = (ctx, next) => {
  const url = ctx.req.url ?? '/'
  if (url.length > LONGEST || !PLAIN.test(url)) assertUnambiguous(ctx, url)
  const { path } = ctx
  const plain = withoutSlashes(path)
  if (plain !== path) ctx.path = plain
  return next()
}

/** Removes empty segments and the trailing slash, which base addresses with a trailing slash cause. */
export function withoutSlashes(path: string): string {
  if (!path.includes('//') && (path === '/' || !path.endsWith('/'))) return path
  return `/${path
    .split('/')
    .filter((part) => part !== '')
    .join('/')}`
}

function assertUnambiguous(ctx: HttpContext, url: string): void {
  if (url.length > LONGEST) throw new Problem('malformed-request', `The address is longer than ${LONGEST} characters.`)
  if (!url.startsWith('/')) {
    const named = parseUrl(url)?.host ?? ''
    if (named === '' || named !== ctx.get('host').toLowerCase())
      throw new Problem('malformed-request', 'The host in the request target differs from the Host header.')
  }
  if (parseUrl(url, 'http://localhost') === null || !decodable(url))
    throw new Problem('malformed-request', 'The path is invalid or has invalid percent-encoding.')
}

function decodable(url: string): boolean {
  try {
    return !decodeURIComponent(url.split('?', 1)[0] ?? '').includes('\0')
  } catch (error) {
    if (error instanceof URIError) return false
    throw error
  }
}
