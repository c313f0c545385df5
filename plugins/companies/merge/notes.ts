import type { Answer } from './answers.js'
import type { Combined } from './combined.js'

/** Fields whose values differ in more than wording. */
const COMPARED: readonly string[] = [
  'company_name',
  'founded_year',
  'employees',
  'annual_revenue',
  'total_funding',
  'listing',
  'company_kind',
  'headquarters',
]
const MOST = 10
const LONGEST = 80
/** Names of the record's fields, in callers' terms. */
const NAMES: Readonly<Record<string, string>> = {
  colours: 'primary_brand_color',
  logos: 'logo_url',
  icons: 'icon_url',
  listing: 'publicly_traded_symbol',
}
const UNSAID: readonly string[] = ['answered', 'remarks', 'domain']

/** One remark per vendor on the fields it supplied; then their disagreements, and remarks on the chosen values. */
export function provenance({ sources, disagreements }: Combined, answers: readonly Answer[]): string[] {
  return [...from(sources), ...against(disagreements), ...remarksOf(sources, answers)]
}

function from(sources: Combined['sources']): string[] {
  const fields = new Map<string, string[]>()
  for (const [field, vendors] of sources)
    if (!UNSAID.includes(field)) for (const vendor of vendors) fields.set(vendor, [...(fields.get(vendor) ?? []), NAMES[field] ?? field])
  return [...fields].map(([vendor, names]) => `From ${vendor}: ${names.join(', ')}.`)
}

function against(disagreements: Combined['disagreements']): string[] {
  return disagreements
    .filter(({ field, values }) => COMPARED.includes(field) && new Set(values.map(({ value }) => form(value).toLowerCase())).size > 1)
    .slice(0, MOST)
    .map(({ field, values }) => {
      const each = values.map(({ provider, value }) => `${provider} says ${form(value)}`)
      return `${NAMES[field] ?? field}: ${each.join(', ')}.`
    })
}

function remarksOf(sources: Combined['sources'], answers: readonly Answer[]): string[] {
  const all = answers.flatMap(({ provider, data }) =>
    data.remarks
      .filter(({ field }) => sources.get(field)?.includes(provider) === true)
      .map(({ field, text }) => `${NAMES[field] ?? field}: ${text} (${provider}).`),
  )
  return [...new Set(all)].slice(0, MOST)
}

/** A value in readable form. */
function form(value: unknown): string {
  if (typeof value === 'object' && value !== null) {
    const { printed, symbol }: { printed?: unknown; symbol?: unknown } = value
    return typeof printed === 'string' ? printed : typeof symbol === 'string' ? symbol : JSON.stringify(value).slice(0, LONGEST)
  }
  return String(value).slice(0, LONGEST)
}
