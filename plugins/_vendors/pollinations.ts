import { Fault, vendor } from '../../core/sdk/index.js'

/** Pollinations: its current service with a key, the old one without. It is a third party to caller and operator alike. */
export const pollinations = vendor({
  id: 'pollinations',
  title: 'Pollinations',
  home: 'https://enter.pollinations.ai',
  baseUrl: 'https://image.pollinations.ai',
  hosts: { keyed: 'https://gen.pollinations.ai' },
  optionalSecrets: { api_key: 'POLLINATIONS_API_KEY' },
  optIn: true,
  // The limit per address without a key.
  pace: { requests: 1, perMs: 5_000, concurrent: 1 },
  auth: (secret) => {
    const key = secret('api_key')
    return key === '' ? {} : { headers: { authorization: `Bearer ${key}` } }
  },
  fault: ({ status }) => (status === 404 ? new Fault('broken', 'pollinations has no such route.') : undefined),
})
