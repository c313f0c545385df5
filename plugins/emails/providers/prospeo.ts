import { isRecord, provider, Type } from '../../../core/sdk/index.js'
import { prospeo as vendor } from '../../_vendors/prospeo.js'
import { CONFIDENCE } from '../find/confidence.js'
import { findVendors } from '../find/contract.js'
import { answerAt } from '../find/vendor-answer.js'

const TRY_MS = 15_000

const reply = Type.Object({ person: Type.Optional(Type.Unknown()), free_enrichment: Type.Optional(Type.Unknown()) })

/** POST /enrich-person; an address that is not revealed is masked and not usable. A match costs a credit, repeating it nothing. */
export const prospeo = provider(findVendors, {
  vendor,
  rank: 30,
  timeoutMs: ({ left_ms }) => Math.min(TRY_MS, left_ms),
  run: async ({ first_name, last_name, domain, company }, ctx) => {
    const json = {
      only_verified_email: false,
      enrich_mobile: false,
      data: { first_name, last_name, company_website: domain, ...(company === null ? {} : { company_name: company }) },
    }
    const { person, free_enrichment: again } = await ctx.api.json({ method: 'POST', path: '/enrich-person', json }, reply)
    if (!isRecord(person)) return null
    if (again !== true) ctx.cost(1, 'credits')
    const email = person['email']
    if (!isRecord(email) || email['revealed'] === false) return null
    const verified = email['status'] === 'VERIFIED'
    return answerAt(domain, {
      email: email['email'],
      status: verified ? 'valid' : 'unknown',
      confidence: verified ? CONFIDENCE.vendorValid : CONFIDENCE.vendorUnverified,
      first: person['first_name'],
      last: person['last_name'],
    })
  },
})
