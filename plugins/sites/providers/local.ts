import { provider } from '../../../core/sdk/index.js'
import { local as vendor } from '../../_vendors/local.js'
import { sitesParts } from '../contract.js'

/** The gateway's own checks of a domain: DNS, TLS handshakes, the home page. The implementation is loaded with the first domain. */
export const local = provider(sitesParts, {
  vendor,
  rank: 10,
  serves: ({ part }) => part !== 'names',
  run: async (input, ctx) => await (await import('../parts/local.js')).partOf(input, ctx),
})
