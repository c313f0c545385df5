import { Fault, vendor } from '../../core/sdk/index.js'

/** Brandfetch. 429 means that the plan is used up, not a rate limit; 403 is a key without credits or access. */
export const brandfetch = vendor({
  id: 'brandfetch',
  title: 'Brandfetch',
  home: 'https://docs.brandfetch.com',
  baseUrl: 'https://api.brandfetch.io',
  secrets: { api_key: 'BRANDFETCH_API_KEY' },
  auth: (secret) => ({ headers: { authorization: `Bearer ${secret('api_key')}` } }),
  fault: ({ status }) => {
    if (status === 403) return new Fault('quota', 'Brandfetch refused the key: it has no credits or no access to this product.')
    return status === 429 ? new Fault('quota', 'The Brandfetch plan is used up.') : undefined
  },
})
