import { handle } from '../../core/sdk/index.js'
import { sitesIntel } from './contract.js'

/** What looks at sites is loaded with the first call. */
export const sitesHandler = handle(sitesIntel, async (input, ctx) => await (await import('./intel.js')).siteIntel(input, ctx))
