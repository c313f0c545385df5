import { Fault, oneOf, or, retryAfterOf, Type, vendor } from '../../core/sdk/index.js'

/** A limit that ends within this time is a rate limit; any longer one is the monthly quota. */
const LONGEST_PAUSE_S = 3_600

/**
 * IPinfo. The free plan (`lite`) has network and country, other plans also the city. A wrong key, and a plan without
 * the product, are 403; 429 is the monthly quota, unless it names a short pause.
 */
export const ipinfo = vendor({
  id: 'ipinfo',
  title: 'IPinfo',
  home: 'https://ipinfo.io/developers',
  baseUrl: 'https://api.ipinfo.io',
  secrets: { token: 'IPINFO_TOKEN' },
  settings: Type.Object({
    plan: or({ ...oneOf('lite', 'core'), description: 'lite is the free plan; core for Core and higher, which know the city.' }, 'lite'),
  }),
  auth: (secret) => ({ headers: { authorization: `Bearer ${secret('token')}` } }),
  fault: ({ status, headers }) => {
    if (status === 429) {
      const seconds = retryAfterOf(headers['retry-after'], Date.now()) ?? Infinity
      return seconds > LONGEST_PAUSE_S
        ? new Fault('quota', 'The requests of the ipinfo plan are used up for this month.')
        : new Fault('busy', 'ipinfo limits the rate of requests.', { retryAfterSeconds: seconds })
    }
    if (status === 403) return new Fault('credentials', 'ipinfo does not accept the token in IPINFO_TOKEN for this plan.')
    return status === 404 ? new Fault('missing', 'ipinfo has no data on this address.') : undefined
  },
})
