import { provider, type DnsType, type Services } from '../../../core/sdk/index.js'
import { dns as vendor } from '../../_vendors/dns.js'
import { eachDomain } from '../checks/each.js'
import { readDomain } from '../checks/domain-name.js'
import { availability } from '../contract.js'

/** An unregistered name, to detect extensions that answer for every name. */
const NOBODY = 'unlikely-name-4f9c2e71d8'
const BUDGET_MS = 2_500
const TRY_MS = 8_000

/** A name with a delegation or an address is registered. A missing DNS record proves nothing, since a registered name may be unused. */
export const dnsAvailability = provider(availability, {
  vendor,
  rank: 10,
  timeoutMs: TRY_MS,
  run: async ({ domains }, context) =>
    await eachDomain(domains, context, {
      budgetMs: BUDGET_MS,
      atOnce: 20,
      ask: async (domain) => {
        if (!(await isDelegated(domain, context))) return null
        return { domain, status: 'registered', verified: true, premium: null, early_access: null, price: null }
      },
    }),
})

async function isDelegated(domain: string, context: Services): Promise<boolean> {
  const first = await recordsOf(domain, 'NS', context)
  if (first === null || first.length > 0) return first !== null
  const start = await recordsOf(domain, 'SOA', context)
  if (start === null || start.length > 0) return start !== null
  const addresses = await recordsOf(domain, 'A', context)
  if (addresses === null || addresses.length === 0) return false
  const read = readDomain(domain)
  if ('wrong' in read) return false
  const wildcard = (await recordsOf(`${NOBODY}.${read.tld}`, 'A', context)) ?? []
  return !addresses.some((address) => wildcard.includes(address))
}

/** The records as text; null for an unknown name. Throws a `blocked` Fault, `unavailable`, when no name server answered. */
async function recordsOf(name: string, type: DnsType, context: Services): Promise<readonly string[] | null> {
  const { status, records } = await context.net.query(name, type)
  return status === 'NXDOMAIN' ? null : records.map(({ data }) => JSON.stringify(data))
}
