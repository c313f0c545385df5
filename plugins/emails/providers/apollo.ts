import { httpProvider, isRecord, Type } from '../../../core/sdk/index.js'
import { apollo as vendor } from '../../_vendors/apollo.js'
import { CONFIDENCE } from '../find/confidence.js'
import { findVendors } from '../find/contract.js'
import { answerAt } from '../find/vendor-answer.js'

const TRY_MS = 15_000

/** POST /people/match, whose parameters stand in the query. */
export const apollo = httpProvider(findVendors, {
  vendor,
  rank: 50,
  timeoutMs: ({ left_ms }) => Math.min(TRY_MS, left_ms),
  request: ({ first_name, last_name, domain, company }) => ({
    method: 'POST',
    path: '/people/match',
    query: { first_name, last_name, domain, ...(company === null ? {} : { organization_name: company }), reveal_personal_emails: false },
  }),
  reply: Type.Object({ person: Type.Optional(Type.Unknown()) }),
  map: ({ person }, { domain }) => {
    if (!isRecord(person)) return null
    const verified = person['email_status'] === 'verified'
    return answerAt(domain, {
      email: person['email'],
      status: verified ? 'valid' : 'unknown',
      confidence: verified ? CONFIDENCE.vendorValid : extrapolated(person['extrapolated_email_confidence']),
      first: person['first_name'],
      last: person['last_name'],
    })
  },
})

/** A share of one, or percent. */
function extrapolated(value: unknown): number {
  if (typeof value !== 'number') return CONFIDENCE.vendorUnknown
  return value <= 1 ? value * 100 : value
}
