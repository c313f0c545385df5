import { Fault, vendor } from '../../core/sdk/index.js'
import { textAt } from './text-at.js'

/** Serper, Google results as JSON. An empty balance is 400, like a bad request. */
export const serper = vendor({
  id: 'serper',
  title: 'Serper',
  home: 'https://serper.dev',
  baseUrl: 'https://google.serper.dev',
  secrets: { api_key: 'SERPER_API_KEY' },
  auth: (secret) => ({ headers: { 'x-api-key': secret('api_key') } }),
  fault: ({ status, body }) => {
    if (status === 400 && textAt(body, 'message').toLowerCase().startsWith('not enough credits'))
      return new Fault('quota', 'The serper account has no credits left.')
    return undefined
  },
})
