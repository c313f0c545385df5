import { Fault, vendor } from '../../core/sdk/index.js'

/** Domainr's data through Fastly's Domain Research, which must be enabled for the account. */
export const domainr = vendor({
  id: 'domainr',
  title: 'Domainr (Fastly Domain Research)',
  home: 'https://www.fastly.com/documentation/reference/api/domain-management/domain-research/',
  baseUrl: 'https://api.fastly.com',
  secrets: { api_token: 'FASTLY_API_TOKEN' },
  auth: (secret) => ({ headers: { 'fastly-key': secret('api_token') } }),
  fault: ({ status }) =>
    status === 403 ? new Fault('credentials', 'The Fastly token or its account may not use Domain Research.') : undefined,
})
