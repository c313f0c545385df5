import { Fault, provider } from '../../../core/sdk/index.js'
import { rdap as vendor } from '../../_vendors/rdap.js'
import { registrationFind } from '../../registration/contract.js'
import { eachDomain } from '../checks/each.js'
import { availability } from '../contract.js'

/** A slower registry is left out. */
const BUDGET_MS = 6_000
const TRY_MS = 12_000

/** Registry records by `registration.find`: RDAP, else WHOIS. A missing record does not prove that a name can be registered. */
export const rdapAvailability = provider(availability, {
  vendor,
  uses: [registrationFind],
  rank: 20,
  timeoutMs: TRY_MS,
  run: async ({ domains }, context) => {
    if (!context.has(registrationFind)) throw new Fault('missing', 'No registry can be queried here.', { inconclusive: true })
    return await eachDomain(domains, context, {
      budgetMs: BUDGET_MS,
      atOnce: 50,
      ask: async (domain) => {
        const { registered, status } = await context.call(registrationFind, { domain, contacts: false })
        const known = { domain, premium: null, early_access: null, price: null }
        if (registered) return { ...known, status: 'registered', verified: true }
        return status.includes('reserved')
          ? { ...known, status: 'reserved', verified: true }
          : { ...known, status: 'available', verified: false }
      },
    })
  },
})
