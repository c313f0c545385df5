import type { Registrant, RegistrationRecord } from '../record.js'
import type { Entry } from './whois-lines.js'
import { kindOf } from './whois-words.js'
import { publicValue, registrantOf } from './words.js'

const HANDLES = ['nic-hdl', 'nic-hdl-br', 'contact', 'contact-id']
const HOLDER_SECTIONS =
  /^(?:(?:domain )?(?:registrant|holder|owner|titular|titulaire)s?(?: of domain name|(?: \/)? registrant)?|(?:registrant|owner|holder) contact(?: information| details)?|registrant (?:information|details)|organization using domain name)$/
const HOLDER_HANDLES = ['registrant', 'holder-c']
const REGISTRAR_SECTION = /^(?:registrar|domain managers?)$/
const NAMES = ['name', 'nom', 'nombre', 'nome']
const COUNTRIES = ['country', 'pays', 'país', 'pais']
const MAILS = ['email', 'e-mail', 'email address', 'e-mail address', 'holder email', 'courriel', 'correo', 'correo electrónico']

type Values = (keys: readonly string[], entries?: readonly Entry[]) => string | undefined

/** The registrar; null when the answer has none. `domainObject` is the paragraph of the domain. */
export function registrarOf(entries: readonly Entry[], domainObject: number, server: string): RegistrationRecord['registrar'] {
  const first = firstOf(entries)
  const inSection = entries.filter(({ section }) => REGISTRAR_SECTION.test(section))
  const abuse = entries.filter(({ section }) => section === 'abuse contact').map(({ value }) => value)
  const named =
    sellerIn(entries.filter(({ object, section }) => object === domainObject && !REGISTRAR_SECTION.test(section))) ??
    sellerIn(entries.filter(({ section }) => !HOLDER_SECTIONS.test(section)))
  const own = objectOf(entries, ['registrar'], named, domainObject)
  const bare = inSection.find(({ key }) => key === '')?.value
  const organization = ['organization', 'organisation', 'organization name']
  const text =
    publicValue(first(organization, inSection) ?? first(['name'], inSection) ?? first(organization, own) ?? first(['name'], own)) ??
    publicValue(named?.replace(/\s*\[Tag = .*\]$/i, '')) ??
    publicValue(bare?.replace(/\s*\[Tag = .*\]$/i, ''))
  const [, title, link] = /^(.*?)\s*\(\s*(https?:\/\/[^\s)]+)\s*\)$/i.exec(text ?? '') ?? []
  const registrar = {
    name: title ?? text,
    iana_id: /^\d{1,9}$/.exec(first(['registrar iana id']) ?? '')?.[0] ?? null,
    url: publicValue(
      first(['registrar url', 'registrar website', 'registrar-url', 'registration service url']) ??
        first(['url', 'web', 'website', 'www'], inSection) ??
        first(['website', 'url'], own) ??
        inSection.find(({ key, value }) => key === '' && /^https?:\/\/\S+$/i.test(value))?.value ??
        (link === undefined || ofRegistry(link, server) ? undefined : link) ??
        first(
          ['url'],
          entries.filter(({ section }) => section === ''),
        ),
    ),
    abuse_email: publicValue(first(['registrar abuse contact email', 'abuse-email']) ?? abuse.find((line) => /^\S+@\S+$/.test(line))),
    abuse_phone: publicValue(first(['registrar abuse contact phone', 'abuse-phone']) ?? abuse.find((line) => /^\+[\d. -]+$/.test(line))),
  }
  return Object.values(registrar).some((value) => value !== null) ? registrar : null
}

function sellerIn(entries: readonly Entry[]): string | undefined {
  return entries.find(({ key, value }) => value !== '' && kindOf(key) === 'registrar')?.value
}

/** The public data of the registrant; null when there is none. */
export function holderOf(entries: readonly Entry[], domainObject: number): Registrant | null {
  const first = firstOf(entries)
  const top = entries.filter(({ section }) => !/admin|tech|billing|registrar|contact information/.test(section))
  const handle = first(HOLDER_HANDLES, top)
  const object = objectOf(entries, HANDLES, handle, domainObject)
  if (object.length > 0) return ofObject(object)
  const inSection = entries.filter(({ section }) => HOLDER_SECTIONS.test(section))
  const [bare, bareMail] = withMail(inSection.find(({ key }) => key === '')?.value)
  const domainLines = entries.filter(({ object: at }) => at === domainObject)
  const plain = publicValue(
    first(
      ['registrant'],
      top.filter(({ value }) => !isHandle(value)),
    ),
  )
  const contact = publicValue(first(['registrant contact name']))
  return registrantOf({
    name:
      publicValue(first(['registrant name'])) ??
      contact ??
      plain ??
      publicValue(first(NAMES, inSection)) ??
      publicValue(fullName(inSection)) ??
      publicValue(first(['owner', 'owner name'], domainLines)) ??
      publicValue(bare),
    organization:
      publicValue(
        first([
          'registrant organization',
          'registrant contact organisation',
          'registrant company name',
          'org',
          'org-name',
          'contact organization',
        ]),
      ) ??
      (contact === null ? null : plain) ??
      publicValue(first(['organization', 'organisation'], inSection)) ??
      publicValue(inSection.find(({ key }) => key.startsWith('company english name'))?.value) ??
      publicValue(first(['organization'], domainLines)),
    state: publicValue(first(['registrant state/province']) ?? first(['state', 'state/province'], inSection)),
    country: publicValue(first(['registrant country', 'org-country']) ?? first(COUNTRIES, inSection) ?? first(['country'], domainLines)),
    email: publicValue(first(['registrant email', 'registrant contact email', 'owner email']) ?? first(MAILS, inSection) ?? bareMail),
  })
}

/** A name split over two lines. */
function fullName(entries: readonly Entry[]): string {
  const first = firstOf(entries)
  return [first(['first name']), first(['last name'])].filter((part) => part !== undefined).join(' ')
}

/** A line with a name, optionally followed by an email address. */
function withMail(line: string | undefined): [name: string | undefined, mail: string | undefined] {
  const words = line?.split(/\s+/) ?? []
  const last = words.at(-1)
  return words.length > 1 && last !== undefined && /^[^@]+@[^@]+$/.test(last) ? [words.slice(0, -1).join(' '), last] : [line, undefined]
}

/** A contact in a separate paragraph. */
function ofObject(object: readonly Entry[]): Registrant | null {
  const first = firstOf(object)
  if (/^yes$/i.test(first(['anonymous']) ?? '')) return null
  const contact = first(['contact'])
  const isCompany = /^organi[sz]ation$/i.test(first(['type']) ?? '')
  const company = first(['organization', 'organisation', 'org'])
  const person = first(['name', 'person', 'personname'])
  const own = contact === undefined || isHandle(contact) || first(['nic-hdl']) === undefined ? undefined : contact
  return registrantOf({
    name: publicValue(person) ?? (isCompany ? null : publicValue(own)),
    organization: publicValue(company) ?? (isCompany ? publicValue(own) : null),
    state: publicValue(first(['state'])),
    country: publicValue(first(['country', 'country code'])),
    email: publicValue(first(['e-mail', 'email'])),
  })
}

/**
 * The paragraph, other than the domain's, that starts with one of the keys, or has it with this value; the first one
 * when the value is unknown.
 */
function objectOf(entries: readonly Entry[], keys: readonly string[], value: string | undefined, domainObject: number): readonly Entry[] {
  const marks = (entry: Entry): boolean =>
    keys.includes(entry.key) && (value === undefined || entry.value === value) && entry.object !== domainObject
  const starts = keys.includes('registrar')
  const found = entries.find((entry) => marks(entry) && (!starts || entries.find(({ object }) => object === entry.object) === entry))
  if (found === undefined || (value === undefined && !starts)) return []
  return entries.filter(({ object }) => object === found.object)
}

function isHandle(value: string): boolean {
  return /^[a-z0-9.-]*\d[a-z0-9.-]*$/i.test(value)
}

/** The registry's page about its registrar is not the registrar's own. */
function ofRegistry(link: string, server: string): boolean {
  const registry = server.split('.').slice(-2).join('.')
  return new RegExp(`^https?://(?:[a-z0-9-]+\\.)*${registry.replaceAll('.', '\\.')}(?:[/:]|$)`, 'i').test(link)
}

function firstOf(all: readonly Entry[]): Values {
  return (keys, entries = all) => {
    for (const key of keys) {
      const found = entries.find((entry) => entry.key === key && entry.value !== '')
      if (found !== undefined) return found.value
    }
    return undefined
  }
}
