import { Fault, vendor } from '../../core/sdk/index.js'

/** Apollo.io. A key is bound to endpoints: 403 is one that lacks this endpoint, or a plan that does. */
export const apollo = vendor({
  id: 'apollo',
  title: 'Apollo.io',
  home: 'https://docs.apollo.io',
  baseUrl: 'https://api.apollo.io/api/v1',
  secrets: { api_key: 'APOLLO_API_KEY' },
  auth: (secret) => ({ headers: { 'x-api-key': secret('api_key') } }),
  fault: ({ status }) =>
    status === 403 ? new Fault('credentials', 'Apollo refused the key for this endpoint: its scope or plan lacks it.') : undefined,
})
