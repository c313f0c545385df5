import type { HandlerContext } from '../../../core/sdk/index.js'
import { readDomain } from '../checks/domain-name.js'
import { companyOf } from '../company.js'
import type { DomainsInput } from '../contract.js'
import type { Ground } from '../names/made.js'

/** The basis of suggestions: the caller's description, and data of the company. Throws `invalid` for an unknown company. */
export async function groundOf({ description, company_name, company_id }: DomainsInput, context: HandlerContext): Promise<Ground> {
  const read = company_id === null ? null : readDomain(company_id)
  const company = read === null || 'wrong' in read ? null : await companyOf(read.domain, context)
  const both = [description ?? '', company?.description ?? ''].join(' ').trim()
  return { description: both.slice(0, 4_000), company_name: company_name ?? company?.name?.slice(0, 200) ?? null }
}
