import { domainToASCII } from 'node:url'
import type { RegistrationRecord } from '../record.js'
import { dateOf } from './dates.js'
import { isStatusWord, statusWords } from './status.js'
import { holderOf, registrarOf } from './whois-contacts.js'
import type { Entry } from './whois-lines.js'
import { beginsOther, isForeign, isOfAddress, isServers, kindOf } from './whois-words.js'
import { hostOf, hostsOf } from './words.js'

const KEYS = /^(?:dnskey|ds|ds[ -]?r(?:data|ecord)s?|ds[ -]?data|ds[ -]key[ -]?tag.*|key\d*-tag|signing key|dnssec ds.*)$/
const KEY_SECTIONS = /^(?:keys|dnssec ds records)$/
/** Terms for available names, with which a date is that of the answer. */
const FREE = /^(?:free|available|not registered|no object found|not found)$/i
/** Maximum codes before a date. */
const MOST_CODES = 2

/** A parsed record: of this name, of another, or none. */
export interface ReadRecord {
  readonly is: 'own' | 'other' | 'none'
  readonly record: RegistrationRecord
  /** It has enough data to mean that the name is registered. */
  readonly isRegistered: boolean
  /** The name has a status or a holder, but no readable date, server or registrar. */
  readonly bare: boolean
  /** Host of the registrar's own WHOIS server. */
  readonly referral: string | null
}

/** Parses the record of a domain (as A-labels) from the lines of an answer. */
export function recordOf(entries: readonly Entry[], domain: string, server: string): ReadRecord {
  const names = entries.flatMap((entry) => (isName(entry) ? [{ entry, name: asciiOf(entry.value) }] : []))
  const own = names.find(({ name }) => name === domain)?.entry
  const object = own?.object ?? -1
  const domains = ofDomain(entries, object)
  const states = statesOf(domains, own)
  const record: RegistrationRecord = {
    registrar: registrarOf(entries, object, server),
    created: dateIn(domains, 'created'),
    updated: dateIn(domains, 'updated'),
    expires: dateIn(domains, 'expires') ?? dateOfState(states),
    status: statusWords(states.flatMap(wordsOf)),
    name_servers: serversOf(entries, { domain, server }),
    dnssec: signed(entries, domains),
    registrant: holderOf(entries, object),
  }
  const dated = record.created !== null || record.expires !== null || (record.updated !== null && !states.some((state) => FREE.test(state)))
  const served = record.registrar?.name != null || record.name_servers.length > 0
  const held = record.registrant !== null || states.flatMap(wordsOf).some(isStatusWord)
  return {
    is: own !== undefined ? 'own' : names.length > 0 ? 'other' : 'none',
    record,
    isRegistered: own !== undefined && (dated || served),
    bare: own !== undefined && !dated && !served && held,
    referral: referralOf(entries),
  }
}

/** A line without a key takes its meaning from the heading. */
function kindIn({ section, key }: Entry): ReturnType<typeof kindOf> {
  return kindOf(key === '' ? section : key)
}

function isName(entry: Entry): boolean {
  if (entry.value === '') return false
  if (entry.section === 'domain information' && entry.key === 'query') return true
  return kindIn(entry) === 'name' || (entry.key === 'name' && entry.section === 'domain')
}

function asciiOf(value: string): string {
  return domainToASCII((value.split(/\s/, 1)[0] ?? '').replace(/\.$/, ''))
}

/** Lines about the domain itself: neither below the heading of a person or a server, nor in such a paragraph. */
function ofDomain(entries: readonly Entry[], own: number): Entry[] {
  const first = new Map(entries.map(({ object, key }) => [object, key] as const).reverse())
  const addressed = new Set(entries.flatMap(({ object, key }) => (isOfAddress(key) ? [object] : [])))
  const served = new Set(entries.flatMap(({ object, key, value }) => (kindOf(key) === 'server' && hostOf(value) !== null ? [object] : [])))
  return entries.filter(({ object, section, key }) => {
    if (isForeign(section)) return false
    // The key is also used for the province in an address.
    if (key === 'state' && addressed.has(object)) return false
    return object === own || (!beginsOther(first.get(object) ?? '') && (!addressed.has(object) || served.has(object)))
  })
}

function serversOf(entries: readonly Entry[], { domain, server }: { domain: string; server: string }): string[] {
  const hosts = entries.flatMap((entry): string[] => {
    const { section, key, value } = entry
    const kind = kindOf(key)
    const listed = isServers(section) && (key === '' || kind === 'server' || /^(?:name|primary|secondary|\d{1,2})$/.test(key))
    if (!listed && (kind !== 'server' || (section !== '' && isForeign(section)))) return []
    // DK Hostmaster repeats the name itself under this key.
    return hostsOf([value]).filter((host) => host !== server && (key !== 'dns' || listed || host !== domain))
  })
  return hostsOf(hosts)
}

function dateIn(entries: readonly Entry[], kind: 'created' | 'updated' | 'expires'): string | null {
  const dates = entries.flatMap((entry) => (kindIn(entry) === kind ? (codedDate(entry.value) ?? []) : []))
  // Some registries list every change, the oldest first.
  return (kind === 'updated' ? dates.toSorted().at(-1) : dates[0]) ?? null
}

/** A date, optionally preceded by codes such as the handle of its author. */
function codedDate(value: string): string | null {
  const words = value.trim().split(/\s+/)
  for (let at = 0; at <= MOST_CODES && at < words.length; at++) {
    if (at > 0 && !/\d|@|^[A-Z_-]+$/.test(words[at - 1] ?? '')) return null
    const date = dateOf(words.slice(at).join(' '))
    if (date !== null) return date
  }
  return null
}

const UNTIL = /[\s(-]+(?:valid[\s-]+)?(?:until|till)[\s:-]+/i

/** The expiry date after a status. */
function dateOfState(states: readonly string[]): string | null {
  for (const state of states) {
    const [, until] = state.split(UNTIL, 2)
    // JPRS's notation for the expiry of an organisation's name.
    const [, date] = /^connected \((\d{4}\/\d\d\/\d\d)\)/i.exec(state) ?? []
    const found = dateOf(until ?? date ?? '')
    if (found !== null) return found
  }
  return null
}

/** Status lines of the domain; also after its name. */
function statesOf(domains: readonly Entry[], own: Entry | undefined): string[] {
  const values = domains
    .filter((entry) => kindIn(entry) === 'status' || (entry.section === 'flags' && entry.key === ''))
    .map(({ value }) => value)
  const [, behind = ''] = /^\S+\s+[([-]*(.{1,60}?)[)\]]*$/.exec(own?.value ?? '') ?? []
  return isStatusWord(behind) ? [...values, behind] : values
}

/** The terms of one status line: without links, dates and remarks. */
function wordsOf(state: string): string[] {
  const [before = '', until] = state.split(UNTIL, 2)
  const dated = until !== undefined && dateOf(until) !== null ? before : state
  return dated
    .replace(/\s*(?:https?:\/\/.*|\(.*)$/, '')
    .split(/[,/;|]/)
    .flatMap((each) => {
      const word = each.trim()
      const [first = '', ...rest] = word.split(/\s+-\s+/)
      if (rest.length > 0 && isStatusWord(first)) return [first]
      const words = word.split(/\s+/)
      return words.every(isStatusWord) ? words : [word]
    })
}

function signed(entries: readonly Entry[], domains: readonly Entry[]): boolean | null {
  const stated = domains.find((entry) => kindIn(entry) === 'dnssec' && entry.value !== '')?.value ?? ''
  if (/^(?:unsigned|no?t?\b|inactive|disabled|off\b|false|none)/i.test(stated)) return false
  if (/^(?:signed|y(?:es)?\b|active|enabled|on\b|true)/i.test(stated)) return true
  const isKey = ({ section, key, value }: Entry): boolean => /\d/.test(value) && (KEYS.test(key) || KEY_SECTIONS.test(section))
  return entries.some(isKey) ? true : null
}

function referralOf(entries: readonly Entry[]): string | null {
  const named = entries.find(({ key }) => key === 'registrar whois server' || key === 'whois server')?.value
  return named === undefined || named === '' ? null : named
}
