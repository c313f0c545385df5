import { Fault, vendor } from '../../core/sdk/index.js'
import { textAt } from './text-at.js'

/** GoDaddy's domain API. Availability is open only to larger accounts, so 403 is about the account. */
export const godaddy = vendor({
  id: 'godaddy',
  title: 'GoDaddy',
  home: 'https://developer.godaddy.com/doc/endpoint/domains',
  baseUrl: 'https://api.godaddy.com',
  secrets: { api_key: 'GODADDY_API_KEY', api_secret: 'GODADDY_API_SECRET' },
  pace: { requests: 60, perMs: 60_000 },
  auth: (secret) => ({ headers: { authorization: `sso-key ${secret('api_key')}:${secret('api_secret')}` } }),
  fault: ({ status, body }) => {
    if (status === 403) return new Fault('credentials', 'The GoDaddy account may not use this part of the API.')
    if (status === 504) return new Fault('busy', 'GoDaddy timed out.')
    const seconds = Number(textAt(body, 'retryAfterSec'))
    return status === 429 && seconds > 0
      ? new Fault('busy', 'GoDaddy limits the rate of requests.', { retryAfterSeconds: Math.ceil(Math.min(seconds, 3_600)) })
      : undefined
  },
})
