import { merged } from '../../_shared/merged.js'
import type { Disagreement, Merged } from '../../_shared/merged-types.js'
import type { CompanyRecord, Money } from '../record.js'
import { sizeOf } from '../values/size.js'
import type { Answer, Answers } from './answers.js'

/** One record merged from all answers. */
export interface Combined {
  readonly record: CompanyRecord
  /** The vendors of the value of each field. */
  readonly sources: ReadonlyMap<string, readonly string[]>
  readonly disagreements: readonly Disagreement[]
}

const BRAND: readonly string[] = ['colours', 'logos', 'icons', 'answered', 'is_claimed']
const SITE: readonly string[] = ['website', 'social_links']
/** Fields with their own rule. */
const OWN: readonly string[] = ['annual_revenue', 'total_funding', 'company_size', 'remarks']

/**
 * Merges the answers field by field; the first vendor with a value wins: in the order firmographics, brand, website;
 * for pictures and colours the brand first, for profiles and the website address the website first. Null when there
 * are no answers.
 */
export function combined({ firmographics, brand, website }: Pick<Answers, 'firmographics' | 'brand' | 'website'>): Combined | null {
  const facts = [...firmographics, ...brand, ...website]
  const base = united(facts)
  const appearance = united([...brand, ...firmographics, ...website])
  const own = united([...website, ...brand, ...firmographics])
  if (base === null || appearance === null || own === null) return null
  const revenue = moneyOf(facts, 'annual_revenue')
  const funding = moneyOf(facts, 'total_funding')
  const size = sizeOf(base.data.employees)
  const { colours, logos, icons, answered, is_claimed } = appearance.data
  const { website: address, social_links } = own.data
  const record = {
    ...base.data,
    ...{ colours, logos, icons, answered, is_claimed },
    ...{ website: address, social_links },
    listing: listingOf(facts),
    annual_revenue: revenue?.value ?? null,
    total_funding: funding?.value ?? null,
    company_size: size ?? base.data.company_size,
    remarks: [],
  }
  const sources = new Map<string, readonly string[]>([
    ...sourcesOf(base, (field) => !BRAND.includes(field) && !SITE.includes(field) && !OWN.includes(field)),
    ...sourcesOf(appearance, (field) => BRAND.includes(field)),
    ...sourcesOf(own, (field) => SITE.includes(field)),
  ])
  if (revenue !== null) sources.set('annual_revenue', [revenue.provider])
  if (funding !== null) sources.set('total_funding', [funding.provider])
  const ofSize = (size === null ? base.sources.company_size : base.sources.employees) ?? []
  if (ofSize.length > 0) sources.set('company_size', ofSize)
  return { record, sources, disagreements: base.disagreements }
}

function united(answers: readonly Answer[]): Merged<CompanyRecord> | null {
  return merged(answers, {
    lists: { technology_names: (name) => name.toLowerCase() },
    whole: ['annual_revenue', 'total_funding', 'listing'],
  })
}

/** Vendors by field; those of subfields are united. */
function sourcesOf({ sources }: Merged<CompanyRecord>, wanted: (field: string) => boolean): [string, string[]][] {
  const found = new Map<string, string[]>()
  for (const [path, vendors] of Object.entries<readonly string[] | undefined>(sources)) {
    const field = path.replace(/[.[].*$/s, '')
    if (wanted(field)) found.set(field, [...new Set([...(found.get(field) ?? []), ...(vendors ?? [])])])
  }
  return [...found]
}

/** The first amount in order; without one, the first band or amount in another currency. */
function moneyOf(answers: readonly Answer[], field: 'annual_revenue' | 'total_funding'): { value: Money; provider: string } | null {
  const all = answers.flatMap(({ provider, data }) => (data[field] === null ? [] : [{ provider, value: data[field] }]))
  return all.find(({ value }) => value.amount !== null) ?? all[0] ?? null
}

/** The first symbol, with an exchange of the same symbol. */
function listingOf(answers: readonly Answer[]): CompanyRecord['listing'] {
  const all = answers.flatMap(({ data }) => data.listing ?? [])
  const [first] = all
  if (first === undefined) return null
  const same = all.find(({ symbol, exchange }) => symbol.toUpperCase() === first.symbol.toUpperCase() && exchange !== null)
  return { symbol: first.symbol, exchange: same?.exchange ?? null }
}
