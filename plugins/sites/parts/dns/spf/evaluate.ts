import type { Spf } from '../../../shapes/dns.js'
import { hasMacro } from './domain-spec.js'
import { isSpf, parseSpf, quoted, type SpfTerm } from './parse.js'

/** DNS queries of SPF; null when the name servers did not answer. */
export interface SpfLookups {
  txt(name: string): Promise<readonly string[] | null>
  mx(name: string): Promise<readonly string[] | null>
  /** Whether a name has an IPv4 or IPv6 address. */
  hasAddress(name: string): Promise<boolean | null>
}

const MOST_LOOKUPS = 10
const MOST_VOID = 2
const MOST_MX = 10
/** Maximum number of followed references, so that a record cannot cause endless queries. */
const MOST_FOLLOWED = 30
const MOST_PROBLEMS = 20

/**
 * SPF of a name by RFC 7208, with every branch followed, unlike for a single message. Null for a name without a
 * record. Terms that depend on the message (macros) count as a lookup and are not followed.
 */
export async function evaluateSpf(domain: string, texts: readonly string[], lookups: SpfLookups): Promise<Spf | null> {
  const records = texts.filter(isSpf)
  const [record] = records
  if (record === undefined) return null
  const evaluation = new Evaluation(lookups)
  if (records.length > 1) evaluation.errors.add(`There are ${String(records.length)} SPF records; receivers take none of several.`)
  const all = await evaluation.read({ domain, record, depth: 0, path: [domain] })
  return evaluation.result(record, all)
}

interface Place {
  readonly domain: string
  readonly record: string
  readonly depth: number
  /** The chain of names so far, in lower case. */
  readonly path: readonly string[]
}

class Evaluation {
  readonly errors = new Set<string>()
  readonly #remarks = new Set<string>()
  readonly #lookups: SpfLookups
  readonly #includes: Spf['includes'] = []
  #count = 0
  #void = 0

  constructor(lookups: SpfLookups) {
    this.#lookups = lookups
  }

  /** Reads one record and its references; returns the term for all other senders, such as `-all`. */
  async read({ domain, record, depth, path }: Place): Promise<string | null> {
    const { terms, errors } = parseSpf(record)
    for (const error of errors) this.errors.add(depth === 0 ? error : `${domain}: ${error}`)
    const end = terms.findIndex(({ name }) => name === 'all')
    const mechanisms = terms.filter(({ name }, place) => !isModifier(name) && (end === -1 || place < end))
    for (const term of mechanisms) await this.#mechanism(term, { domain, depth, path })
    const all = terms[end]
    const redirect = terms.find(({ name }) => name === 'redirect')
    if (all === undefined) return redirect === undefined ? null : await this.#redirect(redirect, { depth, path })
    if (depth === 0) this.#afterAll(terms.slice(end + 1), redirect)
    return `${all.qualifier}all`
  }

  result(record: string, all: string | null): Spf {
    if (this.#count > MOST_LOOKUPS) {
      const least = this.#count > MOST_FOLLOWED ? 'more than ' : ''
      const count = String(Math.min(this.#count, MOST_FOLLOWED))
      this.errors.add(`${least}${count} look-ups, where receivers stop after ${String(MOST_LOOKUPS)} (permerror).`.replace(/^m/, 'M'))
    }
    if (this.#void > MOST_VOID)
      this.errors.add(`${String(this.#void)} look-ups find nothing, where receivers stop after ${String(MOST_VOID)} (permerror).`)
    if (all === null) this.#remarks.add('There is no term for all other senders: the result is neutral.')
    if (all === '+all') this.#remarks.add('+all lets everybody send.')
    return {
      record,
      valid: this.errors.size === 0,
      all,
      lookups: this.#count,
      void_lookups: this.#void,
      mechanisms: parseSpf(record).terms.map(({ text }) => text),
      includes: this.#includes,
      problems: [...this.errors, ...this.#remarks].slice(0, MOST_PROBLEMS),
    }
  }

  async #mechanism(term: SpfTerm, place: Omit<Place, 'record'>): Promise<void> {
    const { name } = term
    if (name === 'ip4' || name === 'ip6') return
    this.#count++
    const target = (term.domain ?? place.domain).replace(/\.$/, '').toLowerCase()
    if (name === 'ptr') this.#remarks.add('ptr is slow and should not be used (RFC 7208 5.5).')
    if (this.#count > MOST_FOLLOWED || name === 'ptr') return
    if (hasMacro(target)) {
      if (name === 'include') this.#unfollowed(term, target, place.depth)
      return
    }
    if (name === 'include') {
      const all = await this.#follow(term, target, place)
      if (all === '+all') this.#remarks.add(`${quoted(term.text)} ends in +all, which lets everybody send.`)
    } else if (name === 'mx') await this.#mx(target, term)
    else if ((await this.#lookups.hasAddress(target)) === false) this.#voidLookup(term)
  }

  async #mx(target: string, term: SpfTerm): Promise<void> {
    const hosts = await this.#lookups.mx(target)
    if (hosts?.length === 0) this.#voidLookup(term)
    if (hosts !== null && hosts.length > MOST_MX)
      this.errors.add(`${quoted(term.text)} leads to more than ${String(MOST_MX)} mail servers (permerror).`)
  }

  async #redirect(term: SpfTerm, { depth, path }: Pick<Place, 'depth' | 'path'>): Promise<string | null> {
    this.#count++
    const target = (term.domain ?? '').replace(/\.$/, '').toLowerCase()
    if (this.#count > MOST_FOLLOWED) return null
    if (!hasMacro(target)) return await this.#follow(term, target, { depth, path })
    this.#unfollowed(term, target, depth)
    return null
  }

  /** The record of an include or redirect. */
  async #follow(term: SpfTerm, target: string, { depth, path }: Pick<Place, 'depth' | 'path'>): Promise<string | null> {
    if (path.includes(target)) {
      this.errors.add(`${quoted(term.text)} leads back to where it came from (permerror).`)
      this.#includes.push({ domain: target, depth: depth + 1, record: null })
      return null
    }
    const texts = await this.#lookups.txt(target)
    const records = texts?.filter(isSpf) ?? []
    const [record = null] = records
    this.#includes.push({ domain: target, depth: depth + 1, record })
    if (texts === null) this.#remarks.add(`The name servers of ${target} did not answer, which receivers take for a temporary error.`)
    else if (record === null) this.errors.add(`${target} has no SPF record (permerror).`)
    if (texts?.length === 0) this.#voidLookup(term)
    if (records.length > 1) this.errors.add(`${target} has ${String(records.length)} SPF records (permerror).`)
    return record === null ? null : await this.read({ domain: target, record, depth: depth + 1, path: [...path, target] })
  }

  #unfollowed(term: SpfTerm, target: string, depth: number): void {
    this.#includes.push({ domain: target, depth: depth + 1, record: null })
    this.#remarks.add(`${quoted(term.text)} depends on the message and was not followed.`)
  }

  #voidLookup(term: SpfTerm): void {
    this.#void++
    this.#remarks.add(`${quoted(term.text)} finds nothing.`)
  }

  #afterAll(terms: readonly SpfTerm[], redirect: SpfTerm | undefined): void {
    if (terms.some(({ name }) => !isModifier(name))) this.#remarks.add('Terms after all have no effect.')
    if (redirect !== undefined) this.#remarks.add('redirect= has no effect beside all.')
  }
}

function isModifier(name: SpfTerm['name']): boolean {
  return name === 'redirect' || name === 'exp' || name === 'other'
}
