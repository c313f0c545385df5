import { Fault, vendor } from '../../core/sdk/index.js'

/** Findymail. A key may have 300 concurrent requests. */
export const findymail = vendor({
  id: 'findymail',
  title: 'Findymail',
  home: 'https://app.findymail.com/docs/',
  baseUrl: 'https://app.findymail.com',
  secrets: { api_key: 'FINDYMAIL_API_KEY' },
  // Only concurrent requests are limited.
  pace: { requests: 300, perMs: 1_000, concurrent: 300 },
  headers: { accept: 'application/json' },
  auth: (secret) => ({ headers: { authorization: `Bearer ${secret('api_key')}` } }),
  fault: ({ status }) => (status === 423 ? new Fault('credentials', 'The Findymail subscription is paused.') : undefined),
})
