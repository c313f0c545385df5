import { vendor } from '../../core/sdk/index.js'

/** Snov.io. Its requests are signed with an access token, which client id and secret are exchanged for. */
export const snov = vendor({
  id: 'snov',
  title: 'Snov.io',
  home: 'https://snov.io/api',
  baseUrl: 'https://api.snov.io',
  secrets: { client_id: 'SNOV_CLIENT_ID', client_secret: 'SNOV_CLIENT_SECRET' },
  pace: { requests: 60, perMs: 60_000 },
})
