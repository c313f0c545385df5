import { Fault, isRecord, retryAfterOf, vendor } from '../../core/sdk/index.js'

const PAUSE_S = 2

/**
 * Hunter API v2. Its documentation uses 403 for the rate limit and 429 for an exhausted plan, other sources the
 * reverse: the text of the error takes precedence over the status. 202 means that the request must be repeated.
 */
export const hunter = vendor({
  id: 'hunter',
  title: 'Hunter',
  home: 'https://hunter.io/api-documentation/v2',
  baseUrl: 'https://api.hunter.io/v2',
  secrets: { api_key: 'HUNTER_API_KEY' },
  // At most 15 in a second and 500 in a minute.
  pace: { requests: 15, perMs: 2_000 },
  auth: (secret) => ({ headers: { 'x-api-key': secret('api_key') } }),
  fault: ({ status, headers, body }) => {
    const seconds = retryAfterOf(headers['retry-after'], Date.now()) ?? PAUSE_S
    if (status === 202) return new Fault('busy', 'Hunter is still searching.', { retryAfterSeconds: seconds, unavailable: true })
    if (status === 451) return new Fault('missing', 'The person opted out at Hunter: no other vendor is called.', { final: true })
    if (status !== 403 && status !== 429) return undefined
    const reason = wordsOf(body)
    if (
      /\b(?:per (?:second|minute)|too many requests|rate)\b/.test(reason) ||
      (status === 403 && !/\b(?:plan|usage|quota|credits?)\b/.test(reason))
    )
      return new Fault('busy', 'Hunter limits the rate of requests.', { retryAfterSeconds: seconds })
    return new Fault('quota', 'The Hunter plan is used up.')
  },
})

function wordsOf(body: unknown): string {
  const errors: readonly unknown[] = isRecord(body) && Array.isArray(body['errors']) ? body['errors'] : []
  return errors
    .flatMap((error) => (isRecord(error) ? [error['id'], error['details']] : []))
    .filter((word) => typeof word === 'string')
    .join(' ')
    .toLowerCase()
    .replaceAll('_', ' ')
}
