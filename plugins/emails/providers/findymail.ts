import { httpProvider, isRecord, Type } from '../../../core/sdk/index.js'
import { findymail as vendor } from '../../_vendors/findymail.js'
import { CONFIDENCE } from '../find/confidence.js'
import { findVendors } from '../find/contract.js'
import { answerAt } from '../find/vendor-answer.js'

const TRY_MS = 15_000

/** POST /api/search/name; addresses that it names it has verified. */
export const findymail = httpProvider(findVendors, {
  vendor,
  rank: 20,
  timeoutMs: ({ left_ms }) => Math.min(TRY_MS, left_ms),
  request: ({ first_name, last_name, domain }) => ({
    method: 'POST',
    path: '/api/search/name',
    json: { name: `${first_name} ${last_name}`, domain },
  }),
  reply: Type.Object({ contact: Type.Optional(Type.Unknown()) }),
  map: ({ contact }, { domain }) =>
    isRecord(contact) ? answerAt(domain, { email: contact['email'], status: 'valid', confidence: CONFIDENCE.vendorValid }) : null,
})
