import { Fault, vendor } from '../../core/sdk/index.js'
import { textAt } from './text-at.js'

/** Exa. A plan that gives fewer results at once says so with 400, which is no fault of the request as such. */
export const exa = vendor({
  id: 'exa',
  title: 'Exa',
  home: 'https://exa.ai/docs',
  baseUrl: 'https://api.exa.ai',
  secrets: { api_key: 'EXA_API_KEY' },
  auth: (secret) => ({ headers: { 'x-api-key': secret('api_key') } }),
  fault: ({ status, body }) => {
    if (status === 400 && textAt(body, 'tag') === 'NUM_RESULTS_EXCEEDED')
      return new Fault('missing', 'The exa plan of this key does not give so many results at once.')
    if (status === 403) return new Fault('missing', 'The exa plan of this key does not include what was asked for.')
    return undefined
  },
})

/** What a reply says it cost, in US dollars; 0 where it does not. */
export function dollarsOf(costDollars: unknown): number {
  return Number(textAt(costDollars, 'total')) || 0
}
