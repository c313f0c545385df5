import { vendor } from '../../core/sdk/index.js'

/** Clipdrop. 60 requests a minute by default. */
export const clipdrop = vendor({
  id: 'clipdrop',
  title: 'Clipdrop',
  home: 'https://clipdrop.co/apis/docs/remove-background',
  baseUrl: 'https://clipdrop-api.co',
  secrets: { api_key: 'CLIPDROP_API_KEY' },
  pace: { requests: 60, perMs: 60_000 },
  auth: (secret) => ({ headers: { 'x-api-key': secret('api_key') } }),
})
