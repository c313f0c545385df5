import {
  bestOf,
  commonsFile,
  itemsIn,
  newest,
  qualifiersOf,
  statementsOf,
  textsOf,
  timesOf,
  yearMonthOf,
  type Claims,
  type Entity,
  type Statement,
} from '../../wikidata/contract.js'
import { registrableOf } from '../domain.js'
import { emptyRecord, type CompanyRecord } from '../record.js'
import { kindOf } from './kind.js'
import { printed } from './money.js'
import { placeOf } from './read.js'
import { sizeOf } from './size.js'
import { socialLinks } from './social.js'

/** Units of revenue by their items. */
const DOLLAR = 'Q4917'
const CURRENCIES: Readonly<Record<string, string>> = {
  [DOLLAR]: 'USD',
  Q4916: 'EUR',
  Q25224: 'GBP',
  Q8146: 'JPY',
  Q25344: 'CHF',
  Q39099: 'CNY',
  Q80524: 'INR',
  Q202040: 'KRW',
  Q1104069: 'CAD',
  Q259502: 'AUD',
  Q122922: 'SEK',
  Q132643: 'NOK',
  Q25417: 'DKK',
}
const ITEMS = ['P452', 'P159', 'P17', 'P414', 'P1454'] as const
const TELLING = ['P571', 'P452', 'P159', 'P1128', 'P2139', 'P414', 'P1454', 'P169', 'P112', 'P154'] as const
const LOGO_WIDTH = 256

type Names = ReadonlyMap<string, string>

/** Whether one of an item's current official websites is at a domain or below it. */
export function isOfDomain({ claims }: Pick<Entity, 'claims'>, domain: string): boolean {
  return textsOf(claims, 'P856').some(({ text }) => registrableOf(text) === domain)
}

/** How complete an item is as a company, to distinguish it from products and subsidiaries with the same website. */
export function weightOf({ claims }: Pick<Entity, 'claims'>): number {
  return TELLING.filter((property) => bestOf(claims, property).length > 0).length
}

/** Ids of the items whose labels the record contains. */
export function itemsOf({ claims }: Pick<Entity, 'claims'>): string[] {
  return itemsIn(claims, ITEMS)
}

/** An item as a record. Numbers are the most recent, money is in US dollars when stated in that currency. */
export function recordOf(
  { label, description, claims }: Entity,
  { domain, names }: { readonly domain: string; readonly names: Names },
): CompanyRecord {
  const employees = latest(claims, 'P1128')
  const count = employees?.value.type === 'quantity' ? Math.round(employees.value.amount) : null
  const revenue = revenueOf(claims)
  const founded = bestOf(claims, 'P571')[0]?.value
  const logo = textsOf(claims, 'P154')[0]?.text
  return {
    ...emptyRecord(),
    company_name: label,
    domain,
    description,
    industry: nameAt(claims, 'P452', names),
    company_size: sizeOf(count),
    headquarters: placeOf(nameAt(claims, 'P159', names), nameAt(claims, 'P17', names)),
    website: textsOf(claims, 'P856').find(({ text }) => registrableOf(text) === domain)?.text ?? null,
    founded_year: founded?.type === 'time' && founded.year > 0 ? founded.year : null,
    employees: count !== null && count >= 0 ? count : null,
    annual_revenue: revenue.money,
    listing: listingOf(claims, names),
    social_links: socialLinks(profilesOf(claims)),
    colours: textsOf(claims, 'P465').map(({ text }) => text),
    logos: logo === undefined ? [] : [commonsFile(logo, LOGO_WIDTH)],
    company_kind: kindOf(nameAt(claims, 'P1454', names)),
    remarks: [...dated('employees', employees), ...dated('annual_revenue', revenue.statement)],
  }
}

function revenueOf(claims: Claims): { money: CompanyRecord['annual_revenue']; statement: Statement | null } {
  const inDollars = latest(claims, 'P2139', DOLLAR)
  const statement = inDollars ?? latest(claims, 'P2139')
  const value = statement?.value
  if (value?.type !== 'quantity' || value.amount < 0) return { money: null, statement: null }
  const currency = CURRENCIES[value.unit ?? '']
  if (currency === undefined) return { money: null, statement: null }
  return { money: { amount: currency === 'USD' ? value.amount : null, printed: printed(value.amount, currency) }, statement }
}

/** The newest quantity by its point in time; among several without one, the first current one. */
function latest(claims: Claims, property: string, unit?: string): Statement | null {
  const all = [...bestOf(claims, property), ...statementsOf(claims, property)].filter(
    ({ value }) => value.type === 'quantity' && (unit === undefined || value.unit === unit),
  )
  const [first] = [...all].sort((one, other) => newest(timesOf(one).at, timesOf(other).at))
  return first ?? null
}

function dated(field: string, statement: Statement | null): { field: string; text: string }[] {
  const date = statement === null ? null : yearMonthOf(timesOf(statement).at)
  return date === null ? [] : [{ field, text: `as of ${date}` }]
}

function nameAt(claims: Claims, property: string, names: Names): string | null {
  for (const { value } of bestOf(claims, property)) {
    const name = value.type === 'item' ? names.get(value.id) : undefined
    if (name !== undefined) return name
  }
  return null
}

/** A current listing with its ticker (P249), else the item's own ticker. */
function listingOf(claims: Claims, names: Names): CompanyRecord['listing'] {
  const listings = bestOf(claims, 'P414').filter((statement) => timesOf(statement).end === null)
  const symbolOf = (statement: Statement): string | undefined => qualifiersOf(statement, 'P249', 'text')[0]?.text
  const listing = listings.find((statement) => symbolOf(statement) !== undefined)
  const symbol = (listing === undefined ? undefined : symbolOf(listing)) ?? textsOf(claims, 'P249')[0]?.text
  if (symbol === undefined) return null
  const at = (listing ?? listings[0])?.value
  return { symbol, exchange: at?.type === 'item' ? (names.get(at.id) ?? null) : null }
}

function profilesOf(claims: Claims): (string | null)[] {
  const at = (property: string, prefix: string) => textsOf(claims, property).map(({ text }) => `${prefix}${encodeURIComponent(text)}`)
  return [
    ...at('P2002', 'https://twitter.com/'),
    ...at('P2003', 'https://www.instagram.com/'),
    ...at('P2013', 'https://www.facebook.com/'),
    ...at('P4264', 'https://www.linkedin.com/company/'),
    ...at('P2397', 'https://www.youtube.com/channel/'),
    ...at('P2088', 'https://www.crunchbase.com/organization/'),
  ]
}
