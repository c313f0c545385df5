import { provider } from '../../../core/sdk/index.js'
import { namecheap as vendor } from '../../_vendors/namecheap.js'
import { availability, type Availability } from '../contract.js'
import { premiumAmountOf } from '../prices/amount.js'
import { namecheapAnswer } from '../prices/namecheap-answer.js'
import type { CheckedName } from '../work/namecheap.js'

/** Names per request. */
const MOST = 50
const TRY_MS = 20_000

/** Availability at Namecheap, with premium names and early access. */
export const namecheapAvailability = provider(availability, {
  vendor,
  rank: 30,
  needs: ['client_ip'],
  timeoutMs: TRY_MS,
  run: async ({ domains }, context) => {
    const parts = Array.from({ length: Math.ceil(domains.length / MOST) }, (_, at) => domains.slice(at * MOST, (at + 1) * MOST))
    const answers = await Promise.all(
      parts.map((part) => namecheapAnswer({ Command: 'namecheap.domains.check', DomainList: part.join(',') }, context)),
    )
    const requested = new Set(domains)
    const found = answers.flatMap(({ names }) => names).filter(({ domain, failed }) => !failed && requested.has(domain))
    return found.length === 0 ? null : { domains: found.map(availabilityOf) }
  },
})

/** An early-access fee is added to a price that the answer does not have. */
function availabilityOf({ domain, available, premium, registration, renewal, earlyFee }: CheckedName): Availability {
  if (!available) return { domain, status: 'registered', verified: true, premium: null, early_access: null, price: null }
  const early = premiumAmountOf(earlyFee) !== null
  const amount = premium ? premiumAmountOf(registration) : null
  const price = amount === null || early ? null : { registration: amount, renewal: premiumAmountOf(renewal), currency: 'USD' }
  return { domain, status: 'available', verified: true, premium, early_access: early, price }
}
