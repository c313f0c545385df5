import { httpProvider, isRecord, Type } from '../../../core/sdk/index.js'
import { prospeo as vendor } from '../../_vendors/prospeo.js'
import { CONFIDENCE } from '../find/confidence.js'
import { findVendors } from '../find/contract.js'
import { answerAt } from '../find/vendor-answer.js'

const TRY_MS = 15_000

/** POST /enrich-person; an address that is not revealed is masked and no answer. */
export const prospeo = httpProvider(findVendors, {
  vendor,
  rank: 30,
  timeoutMs: ({ left_ms }) => Math.min(TRY_MS, left_ms),
  request: ({ first_name, last_name, domain, company }) => ({
    method: 'POST',
    path: '/enrich-person',
    json: {
      only_verified_email: false,
      enrich_mobile: false,
      data: { first_name, last_name, company_website: domain, ...(company === null ? {} : { company_name: company }) },
    },
  }),
  reply: Type.Object({ error: Type.Optional(Type.Unknown()), person: Type.Optional(Type.Unknown()) }),
  map: ({ person }, { domain }) => {
    if (!isRecord(person)) return null
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
