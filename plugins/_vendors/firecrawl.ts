import { Fault, vendor } from '../../core/sdk/index.js'

/** Firecrawl, hosted or self-hosted (which may have no key). */
export const firecrawl = vendor({
  id: 'firecrawl',
  title: 'Firecrawl',
  home: 'https://docs.firecrawl.dev',
  baseUrl: 'https://api.firecrawl.dev/v2',
  secrets: { api_key: 'FIRECRAWL_API_KEY' },
  keylessWithUrl: true,
  auth: (secret) => ({ headers: { authorization: `Bearer ${secret('api_key')}` } }),
  fault: ({ status }) => {
    if (status === 403) return new Fault('blocked', 'Firecrawl does not open this address.')
    if (status === 408) return new Fault('blocked', 'the page was not ready in time', { unavailable: true })
    return undefined
  },
})
