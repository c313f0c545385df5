import { Fault, vendor } from '../../core/sdk/index.js'
import { textAt } from './text-at.js'

/** SerpApi. A failed search may have status 200, and 429 is either the monthly quota or the hourly limit. */
export const serpapi = vendor({
  id: 'serpapi',
  title: 'SerpApi',
  home: 'https://serpapi.com',
  baseUrl: 'https://serpapi.com',
  secrets: { api_key: 'SERPAPI_API_KEY' },
  auth: (secret) => ({ query: { api_key: secret('api_key') } }),
  fault: ({ status, body }) => {
    const text = textAt(body, 'error').toLowerCase()
    if (status === 429 && (text.includes('run out') || text.includes('searches left')))
      return new Fault('quota', 'The serpapi account has no searches left this month.')
    if (status === 200 && textAt(body, 'search_metadata', 'status') === 'Error')
      return new Fault('broken', 'serpapi could not carry out the search.')
    return undefined
  },
})
