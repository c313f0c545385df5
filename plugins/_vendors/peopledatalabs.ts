import { vendor } from '../../core/sdk/index.js'

/** People Data Labs. 404 is a person or company that it does not know, which costs nothing. */
export const peopledatalabs = vendor({
  id: 'peopledatalabs',
  title: 'People Data Labs',
  home: 'https://docs.peopledatalabs.com',
  baseUrl: 'https://api.peopledatalabs.com/v5',
  secrets: { api_key: 'PEOPLEDATALABS_API_KEY' },
  auth: (secret) => ({ headers: { 'x-api-key': secret('api_key') } }),
})
