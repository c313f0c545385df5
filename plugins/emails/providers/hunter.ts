import { httpProvider, isRecord, provider, Type, type Static } from '../../../core/sdk/index.js'
import { hunter as vendor } from '../../_vendors/hunter.js'
import { whenReady } from '../../_vendors/when-ready.js'
import { CONFIDENCE } from '../find/confidence.js'
import { domainPatterns, findVendors, type FindInput, type FoundAddress } from '../find/contract.js'
import { shownPatterns } from '../find/names/shown-patterns.js'
import { answerAt } from '../find/vendor-answer.js'
import { textOrNull } from '../verify/vendor-values.js'

/** Seconds the vendor may search. */
const SEARCH_S = 10
const TRY_MS = 20_000
const PATTERNS_MS = 6_000
/** Addresses for detecting the patterns of a domain; ten cost one request of the plan. */
const MOST_SHOWN = 10

const reply = Type.Object({ data: Type.Optional(Type.Unknown()) })

/** GET /email-finder, repeated while it answers 202. */
export const hunter = provider(findVendors, {
  vendor,
  rank: 10,
  timeoutMs: ({ left_ms }) => Math.min(TRY_MS, left_ms),
  run: async (input, context) => {
    const { domain, first_name, last_name } = input
    const query = { domain, first_name, last_name, max_duration: SEARCH_S }
    return answerOf(await whenReady(context, { path: '/email-finder', query }, reply), input)
  },
})

function answerOf({ data }: Static<typeof reply>, { domain }: FindInput): FoundAddress | null {
  if (!isRecord(data)) return null
  const { score, verification, accept_all: anyName } = data
  const status = statusOf(isRecord(verification) ? verification['status'] : null, anyName)
  const own = typeof score === 'number' ? score : 0
  return answerAt(domain, {
    email: data['email'],
    status,
    // For a catch-all domain, a score proves nothing about the mailbox.
    confidence: status === 'catch-all' || anyName === true ? Math.min(CONFIDENCE.vendorCatchAll, own) : own,
    first: data['first_name'],
    last: data['last_name'],
  })
}

function statusOf(word: unknown, acceptAll: unknown): FoundAddress['verification_status'] {
  switch (word) {
    case 'valid':
      return 'valid'
    case 'invalid':
      return 'invalid'
    case 'disposable':
      return 'do_not_mail'
    case 'accept_all':
      return 'catch-all'
    default:
      return acceptAll === true ? 'catch-all' : 'unknown'
  }
}

/** GET /domain-search: its stated most common pattern, then those of the addresses. */
export const hunterPatterns = httpProvider(domainPatterns, {
  vendor,
  rank: 10,
  timeoutMs: PATTERNS_MS,
  request: ({ domain }) => ({ path: '/domain-search', query: { domain, limit: MOST_SHOWN, type: 'personal' } }),
  reply,
  map: ({ data }, { domain }) => {
    if (!isRecord(data)) return null
    const emails: readonly unknown[] = Array.isArray(data['emails']) ? data['emails'] : []
    const shown = emails
      .slice(0, MOST_SHOWN)
      .filter(isRecord)
      .map((each) => ({
        address: textOrNull(each['value']) ?? '',
        first_name: textOrNull(each['first_name']),
        last_name: textOrNull(each['last_name']),
      }))
    // `{first}.{last}`, `{f}{last}`.
    const own = textOrNull(data['pattern'])?.toLowerCase().replace(/[{}]/g, '')
    const patterns = [...new Set([...(own === undefined ? [] : [own]), ...shownPatterns(shown, domain)])]
    return patterns.length === 0 ? null : { patterns }
  },
})
