import type { Finding } from '../security/verdict.js'

const HALF_YEAR = 180 * 86_400
const YEAR = 365 * 86_400
const MAX_DIGITS = 12

/** Strict-Transport-Security (RFC 6797). Over plain http it is ignored, and the first of several is used. */
export function hstsFindings(header: string | undefined, secure: boolean): Finding[] {
  const all = (detail: string): Finding[] => [
    { id: 'headers.hsts', passed: false, detail },
    { id: 'headers.hsts_subdomains', passed: false, detail },
    { id: 'headers.hsts_preload', passed: false, detail },
  ]
  if (!secure) return all('The page is served by plain http, where the header has no effect.')
  if (header === undefined) return all('Strict-Transport-Security is missing.')
  const directives = directivesOf(header.split(',')[0] ?? '')
  const maxAge = secondsOf(directives.get('max-age'))
  if (maxAge === null) return all('Strict-Transport-Security has no valid max-age and is ignored.')
  const days = Math.floor(maxAge / 86_400)
  const subdomains = directives.has('includesubdomains')
  const preload = directives.has('preload')
  return [
    { id: 'headers.hsts', passed: maxAge >= HALF_YEAR, detail: `max-age is ${String(days)} days.` },
    {
      id: 'headers.hsts_subdomains',
      passed: subdomains && maxAge > 0,
      detail: subdomains ? 'includeSubDomains is there.' : 'includeSubDomains is missing.',
    },
    {
      id: 'headers.hsts_preload',
      passed: preload && subdomains && maxAge >= YEAR,
      detail: preload
        ? `preload is there${subdomains && maxAge >= YEAR ? '' : ', but needs includeSubDomains and a year'}.`
        : 'preload is missing.',
    },
  ]
}

function directivesOf(header: string): Map<string, string> {
  const directives = new Map<string, string>()
  for (const piece of header.split(';')) {
    const equals = piece.indexOf('=')
    const name = (equals === -1 ? piece : piece.slice(0, equals)).trim().toLowerCase()
    if (name !== '' && !directives.has(name)) directives.set(name, equals === -1 ? '' : piece.slice(equals + 1).trim())
  }
  return directives
}

function secondsOf(value: string | undefined): number | null {
  const digits = value?.replace(/^"([^"]*)"$/, '$1') ?? ''
  return /^\d+$/.test(digits) ? Number(digits.slice(0, MAX_DIGITS)) : null
}
