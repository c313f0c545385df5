import { httpProvider, nullable, Type, type Static } from '../../../core/sdk/index.js'
import { domainr as vendor } from '../../_vendors/domainr.js'
import { availability, type Availability } from '../contract.js'

/** A full check may take up to 30 s; slower ones are left out. */
const TRY_MS = 8_500

const reply = Type.Object({
  status: Type.String({ minLength: 1 }),
  scope: Type.Optional(nullable(Type.String())),
})

/** Values of Domainr's status, the last of which is the most significant. */
const REGISTERED = new Set(['active', 'parked', 'marketed', 'priced', 'transferable', 'expiring', 'deleting', 'pending'])
const NOBODYS = new Set(['reserved', 'disallowed', 'dpml', 'claimed', 'invalid', 'zone', 'tld', 'suffix'])
/** Inconclusive; the values before it do not count either. */
const UNKNOWN = 'unknown'

/** One full check per name. Neither early access nor prices are reported. */
export const domainrAvailability = httpProvider(availability, {
  vendor,
  rank: 50,
  timeoutMs: TRY_MS,
  serves: ({ domains }) => domains.length === 1,
  request: ({ domains: [domain] }) => ({ path: '/domain-management/v1/tools/status', query: { domain } }),
  reply,
  map: (answer, { domains: [domain] }) => {
    const known = domain === undefined ? null : availabilityOf(domain, answer)
    return known === null ? null : { domains: [known] }
  },
})

function availabilityOf(domain: string, { status, scope }: Static<typeof reply>): Availability | null {
  const words = status.toLowerCase().split(/\s+/)
  const last = words.at(-1) ?? ''
  const known = { domain, verified: scope !== 'estimate', premium: null, early_access: null, price: null }
  if (last === UNKNOWN) return null
  if (NOBODYS.has(last)) return { ...known, status: 'reserved' }
  if (REGISTERED.has(last) || words.includes('active')) return { ...known, status: 'registered' }
  // Offers are resellers' prices, not the registry's.
  if (words.includes('premium')) return { ...known, status: 'available', premium: true }
  return last === 'inactive' ? { ...known, status: 'available', premium: false } : null
}
