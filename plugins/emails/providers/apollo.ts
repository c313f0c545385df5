import { isRecord, provider, Type } from '../../../core/sdk/index.js'
import { apollo as vendor } from '../../_vendors/apollo.js'
import { CONFIDENCE } from '../find/confidence.js'
import { findVendors, type FoundAddress } from '../find/contract.js'
import { answerAt } from '../find/vendor-answer.js'

const TRY_MS = 15_000
/** Terms for a catch-all domain; the API's spelling is not documented. */
const CATCH_ALL = /^(?:catch|accept)[ _-]?all$/i

const reply = Type.Object({ person: Type.Optional(Type.Unknown()) })

/** POST /people/match with its parameters in the query; a person costs a credit, a miss nothing. */
export const apollo = provider(findVendors, {
  vendor,
  rank: 50,
  timeoutMs: ({ left_ms }) => Math.min(TRY_MS, left_ms),
  run: async ({ first_name, last_name, domain, company }, ctx) => {
    const query = {
      first_name,
      last_name,
      domain,
      ...(company === null ? {} : { organization_name: company }),
      reveal_personal_emails: false,
    }
    const { person } = await ctx.api.json({ method: 'POST', path: '/people/match', query }, reply)
    if (!isRecord(person)) return null
    if (typeof person['id'] === 'string') ctx.cost(1, 'credits')
    return answerAt(domain, { email: person['email'], ...judged(person), first: person['first_name'], last: person['last_name'] })
  },
})

function judged(person: Readonly<Record<string, unknown>>): Pick<FoundAddress, 'confidence'> & {
  readonly status: FoundAddress['verification_status']
} {
  const { email_status: word, extrapolated_email_confidence: figure, email_domain_catchall: anyName } = person
  if (anyName === true || (typeof word === 'string' && CATCH_ALL.test(word)))
    return { status: 'catch-all', confidence: Math.min(CONFIDENCE.vendorCatchAll, extrapolated(figure) ?? CONFIDENCE.vendorCatchAll) }
  if (word === 'verified') return { status: 'valid', confidence: CONFIDENCE.vendorValid }
  return { status: 'unknown', confidence: extrapolated(figure) ?? CONFIDENCE.vendorUnknown }
}

/** A fraction, or percent. */
function extrapolated(value: unknown): number | null {
  if (typeof value !== 'number') return null
  return value <= 1 ? value * 100 : value
}
