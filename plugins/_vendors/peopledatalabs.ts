import { Fault, vendor } from '../../core/sdk/index.js'

/** People Data Labs. 404 is an unknown person or company, which costs nothing; 429 has its end in a custom header. */
export const peopledatalabs = vendor({
  id: 'peopledatalabs',
  title: 'People Data Labs',
  home: 'https://docs.peopledatalabs.com',
  baseUrl: 'https://api.peopledatalabs.com/v5',
  secrets: { api_key: 'PEOPLEDATALABS_API_KEY' },
  // The limit of paid plans; the free plan's 100 are enforced by 429.
  pace: { requests: 1_000, perMs: 60_000 },
  auth: (secret) => ({ headers: { 'x-api-key': secret('api_key') } }),
  fault: ({ status, headers }) => {
    const seconds = status === 429 && headers['retry-after'] === undefined ? secondsUntil(headers['x-ratelimit-reset'] ?? '') : null
    return seconds === null ? undefined : new Fault('busy', 'People Data Labs requests a pause.', { retryAfterSeconds: seconds })
  },
})

/** Seconds until a time in UTC, given as a date or as Unix seconds; null for other text. */
function secondsUntil(text: string): number | null {
  const at = /^\d{10}$/.test(text) ? Number(text) * 1_000 : Date.parse(/[a-z+]/i.test(text) ? text : `${text.replace(' ', 'T')}Z`)
  return Number.isNaN(at) ? null : Math.max(1, Math.ceil((at - Date.now()) / 1_000))
}
