import { Fault, oneOf, or, Type, vendor } from '../../core/sdk/index.js'

/** IPinfo. The free plan (`lite`) knows network and country, others the city too. A wrong key, and a plan without the product, are 403. */
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
  fault: ({ status }) => {
    if (status === 403) return new Fault('credentials', 'ipinfo does not take the token in IPINFO_TOKEN for this plan.')
    return status === 404 ? new Fault('missing', 'ipinfo knows nothing of this address.') : undefined
  },
})
