import { vendor } from '../../../../../core/sdk/index.js'

export const skies = vendor({
  id: 'skies',
  title: 'Skies',
  baseUrl: 'https://api.skies.example',
  secrets: { api_key: 'SKIES_API_KEY' },
  auth: (secret) => ({ headers: { 'x-api-key': secret('api_key') } }),
})
