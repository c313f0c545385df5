import { Fault, provider, type Static } from '../../../core/sdk/index.js'
import { godaddy as vendor } from '../../_vendors/godaddy.js'
import { availability, type Availability } from '../contract.js'
import { godaddyMoney, godaddyReply } from '../prices/godaddy.js'

const TRY_MS = 20_000
type Row = Static<typeof godaddyReply>['domains'][number]

/**
 * GoDaddy's availability, from its cache, and from the registry when the cache is not definitive. Premium names and
 * early access are not reported.
 */
export const godaddyAvailability = provider(availability, {
  vendor,
  rank: 40,
  timeoutMs: TRY_MS,
  run: async ({ domains }, context) => {
    const ask = (checkType: string, names: readonly string[]) =>
      context.api.json({ method: 'POST', path: '/v1/domains/available', query: { checkType }, json: names }, godaddyReply)
    const requested = new Set(domains)
    const rows = new Map((await ask('FAST', domains)).domains.map((row) => [row.domain.toLowerCase(), row]))
    const unsure = domains.filter((domain) => rows.get(domain)?.definitive === false)
    if (unsure.length > 0) {
      try {
        for (const row of (await ask('FULL', unsure)).domains) rows.set(row.domain.toLowerCase(), row)
      } catch (error) {
        // The cached result is kept as a guess.
        if (!Fault.is(error) || context.signal.aborted) throw error
        context.log('GoDaddy could not query the registry', { kind: error.kind })
      }
    }
    const found = [...rows].filter(([domain]) => requested.has(domain))
    return found.length === 0 ? null : { domains: found.map(([domain, row]) => availabilityOf(domain, row)) }
  },
})

function availabilityOf(domain: string, { available, definitive, price, currency }: Row): Availability {
  const common = { domain, verified: definitive === true, premium: null, early_access: null }
  return available
    ? { ...common, status: 'available', price: godaddyMoney(price, currency) }
    : { ...common, status: 'registered', price: null }
}
