import type { Head } from './exchange.js'

/** One request of a chain of redirects. */
export interface Hop {
  readonly url: URL
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT'
  readonly headers: Readonly<Record<string, string>>
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])
const CREDENTIALS = /^(authorization|proxy-authorization|cookie2?|origin|referer)$|token|secret|api[-_]?key|password|signature|session/i

/** The target of a redirect; null for any other reply. */
export function location({ status, headers }: Head): string | null {
  const target = headers['location']
  return REDIRECTS.has(status) && target !== undefined && target !== '' ? target : null
}

/** The request after a redirect (RFC 9110 15.4): 303, and POST after 301 and 302, become GET; another origin receives no credentials. */
export function follow(hop: Hop, status: number, url: URL): Hop {
  const method = (status === 303 && hop.method !== 'HEAD') || (status < 303 && hop.method === 'POST') ? 'GET' : hop.method
  const stays = url.origin === hop.url.origin
  const kept = Object.entries(hop.headers).filter(([name]) => {
    if (!stays && CREDENTIALS.test(name)) return false
    return method === hop.method || !name.toLowerCase().startsWith('content-')
  })
  return { url, method, headers: Object.fromEntries(kept) }
}
