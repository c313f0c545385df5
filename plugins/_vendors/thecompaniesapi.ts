import { Fault, vendor } from '../../core/sdk/index.js'

/** The Companies API, 50 requests a second in its smallest plan. The token follows `Basic` directly, without Base64. */
export const thecompaniesapi = vendor({
  id: 'thecompaniesapi',
  title: 'The Companies API',
  home: 'https://www.thecompaniesapi.com/api',
  baseUrl: 'https://api.thecompaniesapi.com',
  secrets: { api_key: 'THECOMPANIESAPI_API_KEY' },
  pace: { requests: 50, perMs: 1_000 },
  auth: (secret) => ({ headers: { authorization: `Basic ${secret('api_key')}` } }),
  fault: ({ status }) => (status === 403 ? new Fault('quota', 'The credits at The Companies API are used up.') : undefined),
})
