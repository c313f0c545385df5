import { Fault, vendor } from '../../core/sdk/index.js'

/** The Companies API. The token stands behind `Basic` as it is, without Base64. */
export const thecompaniesapi = vendor({
  id: 'thecompaniesapi',
  title: 'The Companies API',
  home: 'https://www.thecompaniesapi.com/api',
  baseUrl: 'https://api.thecompaniesapi.com',
  secrets: { api_key: 'THECOMPANIESAPI_API_KEY' },
  auth: (secret) => ({ headers: { authorization: `Basic ${secret('api_key')}` } }),
  fault: ({ status }) => (status === 403 ? new Fault('quota', 'The credits at The Companies API are used up.') : undefined),
})
