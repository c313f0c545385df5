import type { Violation } from '../../../core/sdk/index.js'
import type { DomainsInput } from '../contract.js'
import { readDomain, readLabel, readTld, type Wrong } from './domain-name.js'

type Rule = (input: DomainsInput) => readonly Violation[]

/** The rules of each mode for its fields. */
const RULES: Readonly<Record<DomainsInput['mode'], Rule>> = {
  'suggest-names': grounds,
  'suggest-extensions': grounds,
  'search-extensions': searched,
  'check-availability': listed,
  pricing: () => [],
  'extension-catalog': () => [],
}

/** Checks beyond the schema: fields required by each mode, and valid names, domains and extensions. */
export function violationsOf(input: DomainsInput): readonly Violation[] {
  const { tlds, mode } = input
  const none = tlds?.length === 0 ? [{ loc: ['tlds'], msg: 'name at least one extension, or leave it out' }] : []
  return [...none, ...(tlds ?? []).flatMap((tld, at) => violationsAt(['tlds', at], readTld(tld))), ...RULES[mode](input)]
}

function grounds({ company_name, description, company_id }: DomainsInput): readonly Violation[] {
  if (company_id !== null) return violationsAt(['company_id'], readDomain(company_id))
  if (hasWords(company_name) || hasWords(description)) return []
  return [{ loc: ['description'], msg: 'say what the business does, or give company_name or company_id', type: 'missing' }]
}

function searched({ query, exact_extension: exact }: DomainsInput): readonly Violation[] {
  if (query === null) return [{ loc: ['query'], msg: 'give the name to look for, such as acme', type: 'missing' }]
  if (exact && !query.includes('.')) return [{ loc: ['query'], msg: 'give the name with its extension, or leave exact_extension out' }]
  return violationsAt(['query'], query.includes('.') ? readDomain(query) : readLabel(query))
}

function listed({ domains }: DomainsInput): readonly Violation[] {
  if (domains === null || domains.length === 0) return [{ loc: ['domains'], msg: 'name at least one full domain', type: 'missing' }]
  return domains.flatMap((domain, at) => violationsAt(['domains', at], readDomain(domain)))
}

function violationsAt(loc: readonly (string | number)[], read: object | Wrong): readonly Violation[] {
  return 'wrong' in read ? [{ loc, msg: String(read.wrong) }] : []
}

function hasWords(text: string | null): boolean {
  return text !== null && /[\p{L}\p{N}]/u.test(text)
}
