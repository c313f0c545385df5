import { Fault, vendor } from '../../core/sdk/index.js'
import { textAt } from './text-at.js'

/** Exa. A plan with a lower limit of results returns 400, although the request is valid. */
export const exa = vendor({
  id: 'exa',
  title: 'Exa',
  home: 'https://exa.ai/docs',
  baseUrl: 'https://api.exa.ai',
  secrets: { api_key: 'EXA_API_KEY' },
  auth: (secret) => ({ headers: { 'x-api-key': secret('api_key') } }),
  fault: ({ status, body }) => {
    if (status === 400 && textAt(body, 'tag') === 'NUM_RESULTS_EXCEEDED')
      return new Fault('missing', 'The exa plan of this key does not allow that many results at once.')
    if (status === 403) return new Fault('missing', 'The exa plan of this key does not include the requested features.')
    return undefined
  },
})

/** The cost in US dollars reported in a reply; 0 when absent. */
export function dollarsOf(costDollars: unknown): number {
  return Number(textAt(costDollars, 'total')) || 0
}
