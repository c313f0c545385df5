import { Fault, isRecord, retryAfterOf, vendor } from '../../core/sdk/index.js'

/** The common text for a wrong key and an empty account, which ZeroBounce reports with the same sentence. */
export const KEY_OR_CREDITS = 'ZeroBounce does not accept the key, or its credits are used up.'

/** Duration of a rate block, which the reply does not state. */
const BLOCK_S = 60

/**
 * ZeroBounce API v2. Errors have the field `error`, regardless of the status. Accounts of one region set the address
 * to `api-us` or `api-eu`.
 */
export const zerobounce = vendor({
  id: 'zerobounce',
  title: 'ZeroBounce',
  home: 'https://www.zerobounce.net/docs/email-validation-api-quickstart/v2-validate-emails',
  baseUrl: 'https://api.zerobounce.net/v2',
  secrets: { api_key: 'ZEROBOUNCE_API_KEY' },
  auth: (secret) => ({ query: { api_key: secret('api_key') } }),
  fault: ({ status, headers, body }) => {
    const error = isRecord(body) ? textOf(body['error']) : ''
    if (/api key|credits/i.test(error)) return new Fault('credentials', KEY_OR_CREDITS)
    if (error !== '' && status < 300) return new Fault('broken', 'ZeroBounce failed.')
    // The firewall in front of the API refuses suspected attackers; that concerns the address of this gateway.
    if (status === 403) return new Fault('busy', 'ZeroBounce turns requests of this gateway away.', { retryAfterSeconds: 60 })
    if (status === 429) {
      const seconds = retryAfterOf(headers['retry-after'], Date.now()) ?? BLOCK_S
      return new Fault('busy', 'ZeroBounce limits the rate of requests.', { retryAfterSeconds: seconds })
    }
    if (status === 404 || status === 405) return new Fault('broken', 'ZeroBounce has nothing at this address: check the vendor address.')
    return undefined
  },
})

function textOf(error: unknown): string {
  return typeof error === 'string' ? error : Array.isArray(error) ? error.filter((each) => typeof each === 'string').join(' ') : ''
}
