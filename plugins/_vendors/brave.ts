import { Fault, retryAfterOf, vendor, type FaultKind } from '../../core/sdk/index.js'
import { textAt } from './text-at.js'

const MEANINGS = new Map<string, readonly [FaultKind, string]>([
  ['SUBSCRIPTION_TOKEN_INVALID', ['credentials', 'brave does not accept the key in BRAVE_API_KEY.']],
  ['SUBSCRIPTION_NOT_FOUND', ['credentials', 'brave finds no subscription for the key in BRAVE_API_KEY.']],
  ['OPTION_NOT_IN_PLAN', ['credentials', 'The brave plan of this key does not include this kind of search.']],
  ['QUOTA_LIMITED', ['quota', 'The brave plan is used up for this month.']],
])

/** Brave Search. A wrong key is 422 and an unknown subscription 404; the code in the body decides. */
export const brave = vendor({
  id: 'brave',
  title: 'Brave Search',
  home: 'https://api-dashboard.search.brave.com',
  baseUrl: 'https://api.search.brave.com/res/v1',
  secrets: { api_key: 'BRAVE_API_KEY' },
  auth: (secret) => ({ headers: { 'x-subscription-token': secret('api_key') } }),
  fault: ({ status, headers, body }) => {
    const meaning = status < 400 ? undefined : MEANINGS.get(textAt(body, 'error', 'code') || textAt(body, 'errors', '0', 'code'))
    if (meaning === undefined && status === 429) {
      // Seconds until the end of each window; the one-second window comes before the monthly one.
      const seconds = retryAfterOf(headers['retry-after'] ?? headers['x-ratelimit-reset']?.split(',')[0], Date.now())
      return new Fault('busy', 'brave limits the rate of requests.', seconds === undefined ? {} : { retryAfterSeconds: seconds })
    }
    if (meaning === undefined && status === 404)
      return new Fault('credentials', 'brave finds nothing at this address for the key in BRAVE_API_KEY.')
    return meaning === undefined ? undefined : new Fault(...meaning)
  },
})
