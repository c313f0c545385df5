import type { Finding } from '../security/verdict.js'
import { frameAncestors, isOpen } from './csp.js'

type Headers = Readonly<Record<string, string>>

/** Referrer policies that hide a page's path from other sites. */
const DISCREET = new Set([
  'no-referrer',
  'same-origin',
  'strict-origin',
  'strict-origin-when-cross-origin',
  'origin',
  'origin-when-cross-origin',
])
const REFERRER = new Set([...DISCREET, 'no-referrer-when-downgrade', 'unsafe-url'])

/** Single-value headers: framing, sniffing, referrers, permissions, isolation. */
export function policyFindings(headers: Headers): Finding[] {
  return [
    framing(headers),
    nosniff(headers['x-content-type-options']),
    referrer(headers['referrer-policy']),
    permissions(headers),
    oneWord('headers.opener', 'cross-origin-opener-policy', headers, ['same-origin', 'same-origin-allow-popups', 'noopener-allow-popups']),
    oneWord('headers.embedder', 'cross-origin-embedder-policy', headers, ['require-corp', 'credentialless']),
    oneWord('headers.resource', 'cross-origin-resource-policy', headers, ['same-origin', 'same-site']),
  ]
}

/** frame-ancestors replaces X-Frame-Options (CSP 3, 6.4.2). */
function framing(headers: Headers): Finding {
  const id = 'headers.framing'
  const ancestors = frameAncestors(headers['content-security-policy'])
  if (ancestors !== null) {
    const open = isOpen(ancestors)
    return {
      id,
      passed: !open,
      detail: open ? 'frame-ancestors lets any site frame the page.' : 'frame-ancestors names who may frame the page.',
    }
  }
  const header = headers['x-frame-options']
  if (header === undefined) return { id, passed: false, detail: 'X-Frame-Options and frame-ancestors are missing.' }
  const values = [...new Set(header.split(',').map((value) => value.trim().toUpperCase()))]
  const passed = values.length === 1 && (values[0] === 'DENY' || values[0] === 'SAMEORIGIN')
  return { id, passed, detail: passed ? `X-Frame-Options is ${values.join()}.` : 'X-Frame-Options has a value that browsers ignore.' }
}

function nosniff(header: string | undefined): Finding {
  const id = 'headers.nosniff'
  if (header === undefined) return { id, passed: false, detail: 'X-Content-Type-Options is missing.' }
  const passed = header.split(',')[0]?.trim().toLowerCase() === 'nosniff'
  return { id, passed, detail: passed ? 'X-Content-Type-Options is nosniff.' : 'X-Content-Type-Options is not nosniff.' }
}

/** The last supported one of several is used. */
function referrer(header: string | undefined): Finding {
  const id = 'headers.referrer'
  if (header === undefined) return { id, passed: false, detail: 'Referrer-Policy is missing.' }
  const policy = header
    .split(',')
    .map((value) => value.trim().toLowerCase())
    .findLast((value) => REFERRER.has(value))
  if (policy === undefined) return { id, passed: false, detail: 'Referrer-Policy has no value that browsers know.' }
  return { id, passed: DISCREET.has(policy), detail: `Referrer-Policy is ${policy}.` }
}

function permissions(headers: Headers): Finding {
  const id = 'headers.permissions'
  const header = headers['permissions-policy']
  if (header === undefined) {
    const old = headers['feature-policy'] === undefined ? '' : '; Feature-Policy, which it replaced, is no longer read'
    return { id, passed: false, detail: `Permissions-Policy is missing${old}.` }
  }
  const count = header.split(',').filter((piece) => /^\s*[a-z][a-z0-9-]*=(?:\(|\*|self\b)/.test(piece)).length
  return {
    id,
    passed: count > 0,
    detail: count > 0 ? `Permissions-Policy names ${String(count)} features.` : 'Permissions-Policy cannot be read.',
  }
}

function oneWord(id: Finding['id'], name: string, headers: Headers, good: readonly string[]): Finding {
  const title = name.replace(/(?:^|-)[a-z]/g, (part) => part.toUpperCase())
  const value = headers[name]?.split(';')[0]?.trim().toLowerCase()
  if (value === undefined) return { id, passed: false, detail: `${title} is missing.` }
  const passed = good.includes(value)
  return { id, passed, detail: passed ? `${title} is ${value}.` : `${title} has a value that does not protect.` }
}
