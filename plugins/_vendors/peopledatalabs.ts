import { Fault, vendor } from '../../core/sdk/index.js'

/** People Data Labs. 404 is a person or company that it does not know, which costs nothing; 429 has the end of the wait in a header of its own. */
export const peopledatalabs = vendor({
  id: 'peopledatalabs',
  title: 'People Data Labs',
  home: 'https://docs.peopledatalabs.com',
  baseUrl: 'https://api.peopledatalabs.com/v5',
  secrets: { api_key: 'PEOPLEDATALABS_API_KEY' },
  // Of paid plans; the free one's 100 are limited by 429.
  pace: { requests: 1_000, perMs: 60_000 },
  auth: (secret) => ({ headers: { 'x-api-key': secret('api_key') } }),
  fault: ({ status, headers }) => {
    const seconds = status === 429 && headers['retry-after'] === undefined ? secondsUntil(headers['x-ratelimit-reset'] ?? '') : null
    return seconds === null ? undefined : new Fault('busy', 'People Data Labs asks for a pause.', { retryAfterSeconds: seconds })
  },
})

/** Seconds until a time in UTC, written as a date or in seconds since 1970; null for another text. */
function secondsUntil(text: string): number | null {
  const at = /^\d{10}$/.test(text) ? Number(text) * 1_000 : Date.parse(/[a-z+]/i.test(text) ? text : `${text.replace(' ', 'T')}Z`)
  return Number.isNaN(at) ? null : Math.max(1, Math.ceil((at - Date.now()) / 1_000))
}
