import { vendor } from '../../core/sdk/index.js'

/** PhotoRoom's basic cutout API. */
export const photoroom = vendor({
  id: 'photoroom',
  title: 'PhotoRoom',
  home: 'https://docs.photoroom.com',
  baseUrl: 'https://sdk.photoroom.com/v1',
  secrets: { api_key: 'PHOTOROOM_API_KEY' },
  auth: (secret) => ({ headers: { 'x-api-key': secret('api_key') } }),
})
