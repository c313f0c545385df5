import { isIpv4, isIpv6 } from './address.js'
import { domainFault, macroFault } from './domain-spec.js'

const MECHANISMS = ['all', 'include', 'a', 'mx', 'ptr', 'ip4', 'ip6', 'exists'] as const
type Mechanism = (typeof MECHANISMS)[number]

/** One term. A modifier has no qualifier. */
export interface SpfTerm {
  readonly text: string
  readonly name: Mechanism | 'redirect' | 'exp' | 'other'
  readonly qualifier: '+' | '-' | '~' | '?'
  /** Its domain, as written; null for the record's own. */
  readonly domain: string | null
}

interface SpfRecord {
  readonly terms: readonly SpfTerm[]
  /** Each makes receivers reject the record (permerror). */
  readonly errors: readonly string[]
}

const MOST_TERMS = 1_000
const MOST_ERRORS = 20
const QUOTED = 80

/** A text that declares itself an SPF record (RFC 7208 4.5). */
export function isSpf(text: string): boolean {
  return /^v=spf1(?: |$)/i.test(text)
}

/** Parses a record by RFC 7208 section 4.6 and 5. Never throws. */
export function parseSpf(record: string): SpfRecord {
  const texts = record
    .slice('v=spf1'.length)
    .split(' ')
    .filter((text) => text !== '')
  const errors: string[] = []
  const terms = texts.slice(0, MOST_TERMS).flatMap((text) => {
    const read = termOf(text)
    if (typeof read !== 'string') return [read]
    errors.push(`${quoted(text)} ${read}.`)
    return []
  })
  if (texts.length > MOST_TERMS) errors.push(`The record has more than ${String(MOST_TERMS)} terms.`)
  for (const name of ['redirect', 'exp'] as const)
    if (terms.filter((term) => term.name === name).length > 1) errors.push(`The record has ${name}= more than once.`)
  return { terms, errors: errors.slice(0, MOST_ERRORS) }
}

/** A term quoted for a sentence. */
export function quoted(text: string): string {
  return `"${text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text}"`
}

/** A parsed term, or its problem. */
function termOf(text: string): SpfTerm | string {
  const modifier = /^([a-z][a-z0-9._-]*)=(.*)$/is.exec(text)
  if (modifier !== null) return modifierOf(text, (modifier[1] ?? '').toLowerCase(), modifier[2] ?? '')
  const [, sign = '', word = '', rest = ''] = /^([-+?~]?)([a-z0-9]*)(.*)$/is.exec(text) ?? []
  const name = MECHANISMS.find((each) => each === word.toLowerCase())
  if (name === undefined || !/^(?:$|[:/])/.test(rest)) return 'is no term of SPF'
  const read = argumentOf(name, rest)
  const qualifier = sign === '-' || sign === '~' || sign === '?' ? sign : '+'
  return typeof read === 'string' ? read : { text, name, qualifier, domain: read.domain }
}

function modifierOf(text: string, name: string, value: string): SpfTerm | string {
  const known = name === 'redirect' || name === 'exp'
  const fault = known ? domainFault(value) : macroFault(value.replaceAll(/%\{[crt]/gi, '%{s'))
  return fault ?? { text, name: known ? name : 'other', qualifier: '+', domain: known ? value : null }
}

function argumentOf(name: Mechanism, rest: string): { domain: string | null } | string {
  switch (name) {
    case 'all':
      return rest === '' ? { domain: null } : 'takes nothing after all'
    case 'ip4':
    case 'ip6':
      return networkFault(name, rest) ?? { domain: null }
    case 'a':
    case 'mx':
      return hostsOf(rest)
    case 'ptr':
      return rest === '' ? { domain: null } : named(rest)
    default:
      return named(rest)
  }
}

function named(rest: string): { domain: string } | string {
  const domain = rest.replace(/^:/, '')
  return rest.startsWith('/') ? 'names no domain' : (domainFault(domain) ?? { domain })
}

/** `:domain/24//64`, each piece optional. */
function hostsOf(rest: string): { domain: string | null } | string {
  const [, whole = '', four, six] = /^(.*?)(?:\/(\d+))?(?:\/\/(\d+))?$/s.exec(rest) ?? []
  if (!prefixFits(four, 32) || !prefixFits(six, 128)) return 'has a prefix length that is none'
  if (whole === '') return { domain: null }
  return whole.startsWith(':') ? named(whole) : 'has a prefix length that is none'
}

function networkFault(name: 'ip4' | 'ip6', rest: string): string | null {
  const [, address = '', length] = /^:([^/]*)(?:\/(.*))?$/s.exec(rest) ?? []
  const fits = name === 'ip4' ? isIpv4(address) : isIpv6(address)
  if (!fits) return `names no ${name === 'ip4' ? 'IPv4' : 'IPv6'} address`
  return prefixFits(length, name === 'ip4' ? 32 : 128) ? null : 'has a prefix length that is none'
}

function prefixFits(length: string | undefined, most: number): boolean {
  return length === undefined || (/^(?:0|[1-9]\d{0,2})$/.test(length) && Number(length) <= most)
}
