import { Fault, vendor } from '../../core/sdk/index.js'

/** Duration of the block of a key that exceeds the rate. */
const BLOCKED_SECONDS = 60

/** Stability AI. 403 is its moderation, not the key. */
export const stability = vendor({
  id: 'stability',
  title: 'Stability AI',
  home: 'https://platform.stability.ai/docs/api-reference',
  baseUrl: 'https://api.stability.ai',
  secrets: { api_key: 'STABILITY_API_KEY' },
  pace: { requests: 150, perMs: 10_000 },
  auth: (secret) => ({ headers: { authorization: `Bearer ${secret('api_key')}` } }),
  fault: ({ status, headers }) => {
    if (status === 403) return new Fault('invalid', 'stability refused the prompt: its moderation does not allow it.')
    if (status === 404) return new Fault('broken', 'stability has no such service.')
    if (status === 429 && headers['retry-after'] === undefined)
      return new Fault('busy', 'stability requests a pause.', { retryAfterSeconds: BLOCKED_SECONDS })
    return undefined
  },
})
