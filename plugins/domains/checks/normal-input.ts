import type { DomainsInput } from '../contract.js'
import { readTld } from './domain-name.js'

/** Normalises the input for rules and handler: trimmed, lower case, distinct extensions as A-labels without a leading dot. */
export function normalInput(input: DomainsInput): DomainsInput {
  const { query, domains, tlds, company_id } = input
  return {
    ...input,
    query: query === null ? null : plain(query),
    company_id: company_id === null ? null : plain(company_id),
    domains: domains === null ? null : domains.map(plain),
    tlds: tlds === null ? null : [...new Set(tlds.map(extension))],
  }
}

function plain(text: string): string {
  return text.trim().toLowerCase()
}

/** One that cannot be parsed is unchanged, for the rules to report. */
function extension(text: string): string {
  const read = readTld(plain(text))
  return 'wrong' in read ? plain(text) : read.tld
}
