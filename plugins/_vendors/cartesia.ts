import { Fault, vendor } from '../../core/sdk/index.js'
import { textAt } from './text-at.js'

/** Cartesia. The version header pins the format: in this version errors are plain text, in later ones JSON. */
export const cartesia = vendor({
  id: 'cartesia',
  title: 'Cartesia',
  home: 'https://docs.cartesia.ai/',
  baseUrl: 'https://api.cartesia.ai',
  secrets: { api_key: 'CARTESIA_API_KEY' },
  headers: { 'cartesia-version': '2025-11-04' },
  auth: (secret) => ({ headers: { authorization: `Bearer ${secret('api_key')}` } }),
  fault: ({ body }) =>
    textAt(body, 'error_code') === 'concurrency_limited' ? new Fault('busy', 'Cartesia accepts no more concurrent requests.') : undefined,
})
