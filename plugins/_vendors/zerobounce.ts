import { Fault, isRecord, vendor } from '../../core/sdk/index.js'

/** What the Fault says that a wrong key and an empty account have in common, since ZeroBounce has one sentence for both. */
export const KEY_OR_CREDITS = 'ZeroBounce does not take the key, or its credits are used up.'

/** ZeroBounce API v2. Errors have the member `error`, whatever the status. Accounts of one region set `api-us` or `api-eu` as address. */
export const zerobounce = vendor({
  id: 'zerobounce',
  title: 'ZeroBounce',
  home: 'https://www.zerobounce.net/docs/email-validation-api-quickstart/v2-validate-emails',
  baseUrl: 'https://api.zerobounce.net/v2',
  secrets: { api_key: 'ZEROBOUNCE_API_KEY' },
  auth: (secret) => ({ query: { api_key: secret('api_key') } }),
  fault: ({ status, body }) => {
    const error = isRecord(body) ? textOf(body['error']) : ''
    if (/api key|credits/i.test(error)) return new Fault('credentials', KEY_OR_CREDITS)
    if (error !== '' && status < 300) return new Fault('broken', 'ZeroBounce failed.')
    // The shield before the API refuses whom it takes for an attacker; that is about the address of this gateway.
    if (status === 403) return new Fault('busy', 'ZeroBounce turns requests of this gateway away.', { retryAfterSeconds: 60 })
    if (status === 404 || status === 405) return new Fault('broken', 'ZeroBounce has nothing at this address: check the vendor address.')
    return undefined
  },
})

function textOf(error: unknown): string {
  return typeof error === 'string' ? error : Array.isArray(error) ? error.filter((each) => typeof each === 'string').join(' ') : ''
}
