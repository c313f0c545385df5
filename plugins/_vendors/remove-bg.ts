import { Fault, vendor } from '../../core/sdk/index.js'
import { listAt } from '../_shared/value-at.js'
import { textAt } from './text-at.js'

/** remove.bg. A picture without a subject gets 400 with the code unknown_foreground. */
export const removeBg = vendor({
  id: 'remove-bg',
  title: 'remove.bg',
  home: 'https://www.remove.bg/api',
  baseUrl: 'https://api.remove.bg/v1.0',
  secrets: { api_key: 'REMOVE_BG_API_KEY' },
  auth: (secret) => ({ headers: { 'x-api-key': secret('api_key') } }),
  fault: ({ status, body }) =>
    status === 400 && listAt(body, 'errors').some((error) => textAt(error, 'code') === 'unknown_foreground')
      ? new Fault('missing', 'remove.bg found no subject in the picture.')
      : undefined,
})
