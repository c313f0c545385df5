import { handle, type HandlerContext } from '../../core/sdk/index.js'
import { domains, type DomainsInput } from './contract.js'
import type { Answer } from './modes/page.js'

type Mode = (input: DomainsInput, context: HandlerContext) => Promise<Answer>

/** Each mode is loaded with its first call. */
const MODES: Readonly<Record<DomainsInput['mode'], () => Promise<Mode>>> = {
  'suggest-names': async () => (await import('./modes/suggest-names.js')).suggestNames,
  'suggest-extensions': async () => (await import('./modes/suggest-extensions.js')).suggestExtensions,
  'search-extensions': async () => (await import('./modes/search.js')).searchExtensions,
  'check-availability': async () => (await import('./modes/check.js')).checkAvailability,
  pricing: async () => (await import('./modes/pricing.js')).pricing,
  'extension-catalog': async () => (await import('./modes/catalogue.js')).extensionCatalog,
}

/** Each mode fills its own list; the others are empty. */
export const domainsHandler = handle(domains, async (input, context) => ({
  names: [],
  domains: [],
  extensions: [],
  ...(await (
    await MODES[input.mode]()
  )(input, context)),
}))
