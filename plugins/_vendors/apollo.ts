import { Fault, vendor } from '../../core/sdk/index.js'
import { textAt } from './text-at.js'

/**
 * Apollo.io. A key is limited to endpoints: 403 means that the key or the plan lacks this one. No status is
 * documented for an account without credits, so a refusal that mentions credits counts as one.
 */
export const apollo = vendor({
  id: 'apollo',
  title: 'Apollo.io',
  home: 'https://docs.apollo.io',
  baseUrl: 'https://api.apollo.io/api/v1',
  secrets: { api_key: 'APOLLO_API_KEY' },
  // The limit of paid plans; smaller plans return 429.
  pace: { requests: 1_000, perMs: 60_000 },
  auth: (secret) => ({ headers: { 'x-api-key': secret('api_key') } }),
  fault: ({ status, body }) => {
    if (status !== 403 && status !== 422) return undefined
    const reason = typeof body === 'string' ? body : `${textAt(body, 'error')} ${textAt(body, 'message')}`
    if (/\bcredits?\b/i.test(reason)) return new Fault('quota', 'The Apollo account has no credits left.')
    return status === 403 ? new Fault('credentials', 'Apollo refused the key for this endpoint: its scope or plan lacks it.') : undefined
  },
})
