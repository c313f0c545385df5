import { Fault, isRecord, provider, Type, type ProviderContext, type Static } from '../../../core/sdk/index.js'
import { hunter as vendor } from '../../_vendors/hunter.js'
import { findVendors, type FindInput, type FoundAddress } from '../find/contract.js'
import { answerAt } from '../find/vendor-answer.js'

/** Seconds that the vendor may search. */
const SEARCH_S = 10
const TRY_MS = 20_000
const LEAST_MS = 1_000

const reply = Type.Object({ data: Type.Optional(Type.Unknown()) })

/** GET /email-finder, asked again as long as it answers 202. */
export const hunter = provider(findVendors, {
  vendor,
  rank: 10,
  timeoutMs: ({ left_ms }) => Math.min(TRY_MS, left_ms),
  run: async (input, context) => answerOf(await search(input, context), input),
})

async function search({ first_name, last_name, domain }: FindInput, context: ProviderContext): Promise<Static<typeof reply>> {
  const query = { domain, first_name, last_name, max_duration: SEARCH_S }
  for (;;) {
    try {
      return await context.api.json({ path: '/email-finder', query }, reply)
    } catch (error) {
      if (!Fault.is(error) || error.status !== 202) throw error
      const pause = (error.retryAfterSeconds ?? 1) * 1_000
      if (context.timeLeft() < pause + LEAST_MS) throw error
      context.progress('searching')
      await context.wait(pause)
    }
  }
}

function answerOf({ data }: Static<typeof reply>, { domain }: FindInput): FoundAddress | null {
  if (!isRecord(data)) return null
  const { score, verification, accept_all } = data
  return answerAt(domain, {
    email: data['email'],
    status: statusOf(isRecord(verification) ? verification['status'] : null, accept_all),
    confidence: typeof score === 'number' ? score : 0,
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
