import { Fault, isRecord, retryAfterOf, vendor, type FaultKind } from '../../core/sdk/index.js'

const KINDS: Readonly<Record<string, readonly [FaultKind, string]>> = {
  NO_MATCH: ['missing', 'Prospeo has nothing for this request.'],
  NO_RESULTS: ['missing', 'Prospeo has nothing for this request.'],
  INSUFFICIENT_CREDITS: ['quota', 'The Prospeo account has no credits left.'],
  INVALID_DATAPOINTS: ['invalid', 'Prospeo refused the request.'],
  INVALID_REQUEST: ['invalid', 'Prospeo refused the request.'],
  INVALID_FILTERS: ['invalid', 'Prospeo refused the request.'],
  INTERNAL_ERROR: ['broken', 'Prospeo failed.'],
  INVALID_API_KEY: ['credentials', 'Prospeo refused the key.'],
  ACCOUNT_RESTRICTED: ['credentials', 'The Prospeo account is restricted.'],
  RATE_LIMITED: ['busy', 'Prospeo limits the rate of requests.'],
  RATE_LIMIT_EXCEEDED: ['busy', 'Prospeo limits the rate of requests.'],
}

/** Prospeo. Nearly all errors have status 400 and are distinguished by `error_code`. */
export const prospeo = vendor({
  id: 'prospeo',
  title: 'Prospeo',
  home: 'https://prospeo.io/api-docs',
  baseUrl: 'https://api.prospeo.io',
  secrets: { api_key: 'PROSPEO_API_KEY' },
  pace: { requests: 5, perMs: 1_000 },
  auth: (secret) => ({ headers: { 'x-key': secret('api_key') } }),
  fault: ({ status, headers, body }) => {
    const code = isRecord(body) && body['error'] === true ? String(body['error_code']) : ''
    const known = Object.hasOwn(KINDS, code) ? KINDS[code] : status === 429 ? KINDS['RATE_LIMITED'] : undefined
    if (known === undefined) return undefined
    const [kind, message] = known
    if (kind !== 'busy') return new Fault(kind, message)
    const seconds = retryAfterOf(headers['retry-after'], Date.now()) ?? resetOf(headers)
    return new Fault(kind, message, seconds === undefined ? {} : { retryAfterSeconds: seconds })
  },
})

/** Seconds until the exhausted limit resets: that of the second when day and minute have requests left. */
function resetOf(headers: Readonly<Record<string, string>>): number | undefined {
  const used = headers['x-daily-request-left'] === '0' ? 'daily' : 'minute'
  if (used === 'minute' && Number(headers['x-minute-request-left']) > 0) return 1
  return retryAfterOf(headers[`x-${used}-reset-seconds`], Date.now())
}
