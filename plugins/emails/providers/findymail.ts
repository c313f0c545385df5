import { isRecord, provider, Type } from '../../../core/sdk/index.js'
import { findymail as vendor } from '../../_vendors/findymail.js'
import { CONFIDENCE } from '../find/confidence.js'
import { findVendors } from '../find/contract.js'
import { answerAt } from '../find/vendor-answer.js'

const TRY_MS = 15_000

const reply = Type.Object({ contact: Type.Optional(Type.Unknown()) })

/** POST /api/search/name; returned addresses are verified. A hit costs a finder credit, a miss nothing. */
export const findymail = provider(findVendors, {
  vendor,
  rank: 20,
  timeoutMs: ({ left_ms }) => Math.min(TRY_MS, left_ms),
  run: async ({ first_name, last_name, domain }, ctx) => {
    const json = { name: `${first_name} ${last_name}`, domain }
    const { contact } = await ctx.api.json({ method: 'POST', path: '/api/search/name', json }, reply)
    if (!isRecord(contact)) return null
    if (typeof contact['email'] === 'string') ctx.cost(1, 'credits')
    return answerAt(domain, { email: contact['email'], status: 'valid', confidence: CONFIDENCE.vendorValid })
  },
})
