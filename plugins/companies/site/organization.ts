import { isRecord } from '../../../core/sdk/index.js'
import { valueAt, listAt } from '../../_shared/value-at.js'
import type { PageFacts } from './page-facts.js'
import { countOf, placeOf, textOf, yearOf } from '../values/read.js'

const TYPES =
  /(?:^|\/)(?:Organization|Corporation|Airline|LocalBusiness|OnlineBusiness|OnlineStore|NGO|EducationalOrganization|CollegeOrUniversity|School|GovernmentOrganization|NewsMediaOrganization|MedicalOrganization|SportsOrganization|PerformingGroup|Consortium|Project|\w*(?:Business|Store|Agency|Service|Dealer|Restaurant|Hotel|Company))$/
const MOST = 200

/** A page's schema.org data about its company. */
export interface Organization {
  readonly name: string | null
  readonly description: string | null
  readonly founded: number | null
  readonly employees: number | null
  readonly headquarters: string | null
  readonly industry: string | null
  readonly ticker: string | null
  readonly logos: readonly string[]
  readonly profiles: readonly string[]
}

/** The organization of a page: first one that names this domain, then a publisher, then any. Null when there is none. */
export function organizationIn(facts: Pick<PageFacts, 'json_ld' | 'microdata' | 'rdfa'>, domain: string): Organization | null {
  const items = [...facts.json_ld, ...facts.microdata, ...facts.rdfa]
  const all = [
    ...items,
    ...items.flatMap((item) => [item['publisher'], item['sourceOrganization'], item['mainEntity'], item['about']].flat()),
  ]
    .filter(isRecord)
    .filter((item) => typesOf(item).some((type) => TYPES.test(type)))
    .slice(0, MOST)
  const [first] = [...all].sort((one, other) => rank(other, domain) - rank(one, domain))
  return first === undefined ? null : organizationOf(first)
}

function rank(item: Readonly<Record<string, unknown>>, domain: string): number {
  const named = [item['url'], item['@id']].flat().some((address) => typeof address === 'string' && address.includes(domain))
  return (named ? 4 : 0) + (textOf(item['name']) === null ? 0 : 2) + (item['logo'] === undefined ? 0 : 1)
}

function organizationOf(item: Readonly<Record<string, unknown>>): Organization {
  return {
    name: first(item['name'], textOf) ?? first(item['legalName'], textOf),
    description: first(item['description'], textOf) ?? first(item['slogan'], textOf),
    founded: first(item['foundingDate'], (value) => yearOf(value)),
    employees: first(item['numberOfEmployees'], employeesOf),
    headquarters: first(item['address'], addressOf) ?? first(valueAt(item['location'], 'address'), addressOf),
    industry: first(item['industry'], textOf),
    ticker: first(item['tickerSymbol'], textOf),
    logos: [item['logo'], item['image']].flat().flatMap((picture) => pictureOf(picture) ?? []),
    profiles: [item['sameAs']].flat().flatMap((each) => textOf(each) ?? []),
  }
}

function first<T>(value: unknown, read: (value: unknown) => T | null): T | null {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value]
  for (const each of all) {
    const found = read(each)
    if (found !== null) return found
  }
  return null
}

/** A number, or a QuantitativeValue; for a band its lower end. */
function employeesOf(value: unknown): number | null {
  return countOf(value) ?? countOf(valueAt(value, 'value')) ?? countOf(valueAt(value, 'minValue'))
}

function addressOf(value: unknown): string | null {
  if (!isRecord(value)) return textOf(value)
  const country = value['addressCountry']
  return placeOf(
    value['streetAddress'],
    [textOf(value['postalCode']), textOf(value['addressLocality'])].filter((part) => part !== null).join(' '),
    value['addressRegion'],
    isRecord(country) ? country['name'] : country,
  )
}

function pictureOf(value: unknown): string | null {
  return textOf(value) ?? textOf(valueAt(value, 'url')) ?? textOf(valueAt(value, 'contentUrl')) ?? textOf(valueAt(value, '@id'))
}

function typesOf(item: Readonly<Record<string, unknown>>): string[] {
  return [...listAt(item, '@type'), item['@type']].filter((type) => typeof type === 'string')
}
