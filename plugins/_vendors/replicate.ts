import { Fault, vendor } from '../../core/sdk/index.js'
import { textAt } from './text-at.js'

/** Replicate's predictions. The pause of a 429 may be only in its message. */
export const replicate = vendor({
  id: 'replicate',
  title: 'Replicate',
  home: 'https://replicate.com/docs/reference/http',
  baseUrl: 'https://api.replicate.com/v1',
  secrets: { api_token: 'REPLICATE_API_TOKEN' },
  pace: { requests: 600, perMs: 60_000 },
  auth: (secret) => ({ headers: { authorization: `Bearer ${secret('api_token')}` } }),
  fault: ({ status, headers, body }) => {
    if (status === 404) return new Fault('broken', 'replicate has no such model or job: check the models in the settings.')
    if (status !== 429 || headers['retry-after'] !== undefined) return undefined
    const seconds = /(\d{1,5}) ?s(?:econds?)?\b/.exec(textAt(body, 'detail').slice(0, 500))?.[1]
    return seconds === undefined ? undefined : new Fault('busy', 'replicate requests a pause.', { retryAfterSeconds: Number(seconds) })
  },
})
