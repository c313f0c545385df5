import { handle, type HandlerContext } from '../../core/sdk/index.js'
import { domains, type DomainsInput } from './contract.js'
import { extensionCatalog } from './modes/catalogue.js'
import { checkAvailability } from './modes/check.js'
import type { Answer } from './modes/page.js'
import { pricing } from './modes/pricing.js'
import { searchExtensions } from './modes/search.js'
import { suggestExtensions } from './modes/suggest-extensions.js'
import { suggestNames } from './modes/suggest-names.js'

const MODES: Readonly<Record<DomainsInput['mode'], (input: DomainsInput, context: HandlerContext) => Promise<Answer>>> = {
  'suggest-names': suggestNames,
  'suggest-extensions': suggestExtensions,
  'search-extensions': searchExtensions,
  'check-availability': checkAvailability,
  pricing,
  'extension-catalog': extensionCatalog,
}

/** Every mode fills its own list; the others are empty. */
export const domainsHandler = handle(domains, async (input, context) => ({
  names: [],
  domains: [],
  extensions: [],
  ...(await MODES[input.mode](input, context)),
}))
