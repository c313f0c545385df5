import { domainToASCII } from 'node:url'
import { emptyRecord, type Registrant, type RegistrationRecord } from '../record.js'
import { dateOf } from './dates.js'
import { statusWords } from './status.js'
import { Card } from './vcard.js'
import { hostsOf, publicValue, registrantOf } from './words.js'

export interface RdapQuestion {
  readonly bytes: Uint8Array
  /** As A-labels. */
  readonly domain: string
}

export interface RdapReading {
  /** False when the answer is not a record of this name. */
  readonly own: boolean
  readonly record: RegistrationRecord
  /** Address of the registrar's own record. */
  readonly related: string | null
}

type Fields = Readonly<Record<string, unknown>>
/** Maximum depth searched for entities. */
const MOST_DEPTH = 3
const MOST_ENTITIES = 200
const NOTHING: RdapReading = { own: false, record: emptyRecord(), related: null }

/** Parses an RDAP domain object (RFC 9083 5.3), leniently. Runs in a worker, since the answer is untrusted. */
export default function read({ bytes, domain }: RdapQuestion): RdapReading {
  let answer: Fields
  try {
    answer = fieldsOf(JSON.parse(new TextDecoder().decode(bytes)))
  } catch (error) {
    if (error instanceof SyntaxError) return NOTHING
    throw error
  }
  const names = [textOf(answer.ldhName), textOf(answer.unicodeName)].filter((name) => name !== '')
  const named = names.some((name) => domainToASCII(name.replace(/\.$/, '')) === domain)
  if (textOf(answer.objectClassName).toLowerCase() !== 'domain' || !named) return NOTHING
  const entities = entitiesIn(answer.entities)
  return {
    own: true,
    record: {
      registrar: registrarOf(entities),
      ...datesOf(listOf(answer.events)),
      status: statusWords(textsOf(answer.status)),
      name_servers: hostsOf(listOf(answer.nameservers).map(({ ldhName, unicodeName }) => textOf(ldhName) || textOf(unicodeName))),
      dnssec: signedOf(fieldsOf(answer.secureDNS)),
      registrant: registrantIn(entities),
    },
    related: relatedOf(listOf(answer.links)),
  }
}

function datesOf(events: readonly Fields[]): Pick<RegistrationRecord, 'created' | 'updated' | 'expires'> {
  const at = (...actions: readonly string[]): string | null => {
    for (const action of actions) {
      const found = events.find(({ eventAction }) => textOf(eventAction).toLowerCase() === action)
      const date = found === undefined ? null : dateOf(textOf(found.eventDate))
      if (date !== null) return date
    }
    return null
  }
  return { created: at('registration', 'reregistration'), updated: at('last changed'), expires: at('expiration', 'registrar expiration') }
}

function signedOf({ delegationSigned, dsData, keyData }: Fields): boolean | null {
  if (typeof delegationSigned === 'boolean') return delegationSigned
  return listOf(dsData).length > 0 || listOf(keyData).length > 0 ? true : null
}

function registrarOf(entities: readonly Fields[]): RegistrationRecord['registrar'] {
  const entity = withRole(entities, 'registrar')
  if (entity === null) return null
  const card = new Card(entity.vcardArray)
  const ids = listOf(entity.publicIds)
  const number = ids.find(({ type }) => /iana registrar id/i.test(textOf(type)))
  const abuse = new Card((withRole(listOf(entity.entities), 'abuse') ?? withRole(entities, 'abuse'))?.vcardArray)
  const page = listOf(entity.links).find(({ rel, href }) => textOf(rel) === 'about' && /^https?:/i.test(textOf(href)))
  return {
    name:
      publicValue(card.text('fn')) ??
      publicValue(card.text('org')) ??
      publicValue(textOf(entity.handle)) ??
      publicValue(textOf(ids[0]?.identifier)),
    iana_id: publicValue(textOf(number?.identifier)),
    url: publicValue(card.text('url')) ?? publicValue(textOf(page?.href)),
    abuse_email: publicValue(abuse.text('email')),
    abuse_phone: publicValue(abuse.text('tel')),
  }
}

function registrantIn(entities: readonly Fields[]): Registrant | null {
  const entity = withRole(entities, 'registrant')
  if (entity === null) return null
  const card = new Card(entity.vcardArray)
  const { state, country } = card.place()
  const organization = publicValue(card.text('org'))
  const name = publicValue(card.text('fn'))
  return registrantOf({
    name: name === organization ? null : name,
    organization,
    state: publicValue(state),
    country: publicValue(country),
    email: publicValue(card.text('email')),
  })
}

/** Entities of the domain, including those in a nested list, and those below one that is neither registrar nor registrant. */
function entitiesIn(value: unknown, depth = 0): readonly Fields[] {
  if (!Array.isArray(value) || depth > MOST_DEPTH) return []
  const given: readonly unknown[] = value.slice(0, MOST_ENTITIES)
  const own = given.flatMap((each) => (Array.isArray(each) ? entitiesIn(each, depth + 1) : [fieldsOf(each)]))
  const below = own.flatMap((each) => (isParty(each) ? [] : entitiesIn(each.entities, depth + 1)))
  return [...own, ...below].slice(0, MOST_ENTITIES)
}

/** Entities below a registrar or registrant belong to it. */
function isParty({ roles }: Fields): boolean {
  return textsOf(roles).some((role) => /^(?:registrar|registrant)$/i.test(role))
}

function withRole(entities: readonly Fields[], role: string): Fields | null {
  return entities.find(({ roles }) => textsOf(roles).some((each) => each.toLowerCase() === role)) ?? null
}

function relatedOf(links: readonly Fields[]): string | null {
  const found = links.find(
    ({ rel, type, href }) => textOf(rel) === 'related' && /rdap|^$/i.test(textOf(type)) && /^https?:/i.test(textOf(href)),
  )
  return found === undefined ? null : textOf(found.href)
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {}
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.slice(0, MOST_ENTITIES).map(fieldsOf) : []
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(textOf).filter((text) => text !== '') : []
}

/** Some registries write numbers where the standard requires text. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}
