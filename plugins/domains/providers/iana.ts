import { domainToUnicode } from 'node:url'
import { provider } from '../../../core/sdk/index.js'
import { iana as vendor } from '../../_vendors/iana.js'
import { allExtensions, extensionOf } from '../catalogue/extensions.js'
import { BY_KIND } from '../catalogue/popular.js'
import { catalogue } from '../contract.js'

/** The catalogue of this version. An unlisted extension below a country's counts as that country's. */
export const ianaCatalogue = provider(catalogue, {
  vendor,
  run: ({ tlds }) =>
    Promise.resolve({
      extensions:
        tlds.length === 0
          ? allExtensions().map((extension) => ({ ...extension }))
          : tlds.map((tld) => ({
              ...(extensionOf(tld) ?? { tld, length: [...domainToUnicode(tld)].length, popularity: BY_KIND.country, theme: 'country' }),
            })),
    }),
})
