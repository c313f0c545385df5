import { domainToASCII } from 'node:url'
import type { RegistrationRecord } from '../record.js'
import { dateOf } from './dates.js'
import { statusWords } from './status.js'
import { holderOf, registrarOf } from './whois-contacts.js'
import type { Entry } from './whois-lines.js'
import { hostsOf } from './words.js'

const DOMAIN = ['domain name', 'domain', 'domainname']
const CREATED = [
  ...['creation date', 'created', 'created on', 'created date', 'registered on', 'registered', 'registered date', 'registration time'],
  ...['registration date', 'first registration date', 'record created', 'record created on', 'domain record activated'],
  'domain name commencement date',
]
const UPDATED = [
  ...['updated date', 'last updated', 'last updated on', 'last updated date', 'last update', 'last-update', 'last modified', 'changed'],
  ...['modified', 'updated'],
]
const EXPIRES = [
  ...['registry expiry date', 'registrar registration expiration date', 'expiration date', 'expiration time', 'expiry date', 'expires'],
  ...['expires on', 'expire', 'expire date', 'paid-till', 'renewal date', 'valid until', 'record expires on'],
]
const STATUS = ['domain status', 'status', 'eppstatus', 'epp status', 'state', 'domaintype']
const SERVERS = ['name server', 'nserver', 'nameserver', 'nameservers', 'name servers', 'hostname', 'host name']
const SERVER_SECTIONS =
  /^(?:domain )?(?:name ?servers?|servers|nservers|servers in listed order)(?: information)?$|^(?:primary|secondary) name server$/
const KEYS = ['dnskey', 'ds', 'ds-rdata', 'ds record', 'dsrecord', 'key1-tag', 'signing key']
const KEY_SECTIONS = /^(?:keys|dnssec ds records)$/
/** Headings below which dates and states are somebody's, not the domain's. */
const FOREIGN = /^(?:registra(?:nt|r)|holder|contact|whois|whois server|tech|(?:name ?|n|domain )servers)$|admin|technical|billing/
/** Keys that begin the paragraph of something else than the domain. */
const OTHER_OBJECTS = new Set([
  'nic-hdl',
  'nic-hdl-br',
  'contact',
  'contact-id',
  'person',
  'personname',
  'role',
  'registrar',
  'nsset',
  'keyset',
  'nserver',
  'organisation',
])

/** A record that was read: of this name, of another, or none. */
export interface ReadRecord {
  readonly is: 'own' | 'other' | 'none'
  readonly record: RegistrationRecord
  /** Enough stands in it to say that the name is registered. */
  readonly tells: boolean
  /** Host of the registrar's own WHOIS server. */
  readonly referral: string | null
}

/** Reads the record of a domain (as A-labels) out of the lines of an answer. */
export function recordOf(entries: readonly Entry[], domain: string, server: string): ReadRecord {
  const names = entries.flatMap((entry) => (isName(entry) ? [{ object: entry.object, name: asciiOf(entry.value) }] : []))
  const own = names.find(({ name }) => name === domain)
  const objects = new Map(entries.map(({ object, key }) => [object, key] as const).reverse())
  const domains = entries.filter(
    ({ object, section }) => !FOREIGN.test(section) && (object === own?.object || !OTHER_OBJECTS.has(objects.get(object) ?? '')),
  )
  const record: RegistrationRecord = {
    registrar: registrarOf(entries, own?.object ?? -1, server),
    created: dateIn(domains, CREATED) ?? bareDate(entries, 'first registration date'),
    updated: dateIn(domains, UPDATED),
    expires: dateIn(domains, EXPIRES) ?? stateDate(domains),
    status: statusWords(statesOf(entries, domains)),
    name_servers: hostsOf(entries.flatMap((entry) => (isServer(entry) ? [entry.value] : []))),
    dnssec: signed(entries, domains),
    registrant: holderOf(entries, own?.object ?? -1),
  }
  const dated = record.created !== null || record.updated !== null || record.expires !== null
  const served = record.registrar?.name != null || record.name_servers.length > 0
  return {
    is: own !== undefined ? 'own' : names.length > 0 ? 'other' : 'none',
    record,
    tells: own !== undefined && (dated || served),
    referral: referralOf(entries),
  }
}

function isName({ section, key, value }: Entry): boolean {
  if (value === '') return false
  return DOMAIN.includes(key) || (key === '' && section === 'domain name') || (key === 'name' && section === 'domain')
}

function asciiOf(value: string): string {
  return domainToASCII((value.split(/\s/, 1)[0] ?? '').replace(/\.$/, ''))
}

function isServer({ section, key }: Entry): boolean {
  return SERVERS.includes(key) || (SERVER_SECTIONS.test(section) && (key === '' || key === 'dns'))
}

function dateIn(entries: readonly Entry[], keys: readonly string[]): string | null {
  for (const { key, value } of entries) {
    if (!keys.includes(key)) continue
    const date = dateOf(value)
    if (date !== null) return date
  }
  return null
}

function bareDate(entries: readonly Entry[], heading: string): string | null {
  return dateOf(entries.find(({ section, key }) => section === heading && key === '')?.value ?? '')
}

/** JPRS writes the end of an organisation's name behind its state. */
function stateDate(entries: readonly Entry[]): string | null {
  const [, date = ''] = /\((\d{4}\/\d\d\/\d\d)\)/.exec(entries.find(({ key }) => key === 'state')?.value ?? '') ?? []
  return dateOf(date)
}

function statesOf(entries: readonly Entry[], domains: readonly Entry[]): string[] {
  const values = domains.filter(({ key }) => STATUS.includes(key)).map(({ value }) => value)
  const bare = entries.filter(({ section, key }) => key === '' && (section === 'registration status' || section === 'flags'))
  return [...values, ...bare.map(({ value }) => value)].flatMap((value) =>
    value
      .replace(/\s*(?:https?:\/\/.*|\(.*)$/, '')
      .split(/[,/]/)
      .map((word) => word.trim()),
  )
}

function signed(entries: readonly Entry[], domains: readonly Entry[]): boolean | null {
  const stated = domains.find(({ key, value }) => (key === 'dnssec' || key === 'signed') && value !== '')?.value ?? ''
  if (/^(?:unsigned|no?\b|inactive)/i.test(stated)) return false
  if (/^(?:signed|y(?:es)?\b|active)/i.test(stated)) return true
  return entries.some(({ section, key, value }) => value !== '' && (KEYS.includes(key) || KEY_SECTIONS.test(section))) ? true : null
}

function referralOf(entries: readonly Entry[]): string | null {
  const named = entries.find(({ key }) => key === 'registrar whois server' || key === 'whois server')?.value
  return named === undefined || named === '' ? null : named
}
