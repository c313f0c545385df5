import { Fault, retryAfterOf, vendor } from '../../core/sdk/index.js'

/**
 * OpenAlex. Without a key it has a small daily allowance per address (about 100 searches), with a free key about
 * 1,000. At most 100 requests a second for everybody.
 */
export const openalex = vendor({
  id: 'openalex',
  title: 'OpenAlex',
  home: 'https://developers.openalex.org',
  baseUrl: 'https://api.openalex.org',
  optionalSecrets: { api_key: 'OPENALEX_API_KEY' },
  pace: { requests: 100, perMs: 1_000 },
  // A blank key is refused, so it is left out when unset.
  auth: (secret) => {
    const key = secret('api_key')
    return key === '' ? {} : { query: { api_key: key } }
  },
  fault: ({ status, headers }) => {
    if (status === 401) return new Fault('credentials', 'OpenAlex does not accept the key in OPENALEX_API_KEY.')
    if (status === 403) return new Fault('busy', 'OpenAlex limits the rate of requests.')
    if (status === 404) return new Fault('broken', 'OpenAlex has nothing at the address of its search.')
    if (status !== 429) return undefined
    const seconds = retryAfterOf(headers['retry-after'] ?? headers['x-ratelimit-reset'], Date.now())
    const wait = seconds === undefined ? {} : { retryAfterSeconds: seconds }
    return Number(headers['x-ratelimit-remaining'] ?? headers['x-ratelimit-remaining-usd'] ?? NaN) === 0
      ? new Fault('quota', 'The daily allowance at OpenAlex is used up; it begins anew at midnight UTC.', wait)
      : new Fault('busy', 'OpenAlex limits the rate of requests.', wait)
  },
})
