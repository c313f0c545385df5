import { handle } from '../../core/sdk/index.js'
import { sitesIntel } from './contract.js'

/** The implementation is loaded with the first call. */
export const sitesHandler = handle(sitesIntel, async (input, ctx) => await (await import('./intel.js')).siteIntel(input, ctx))
