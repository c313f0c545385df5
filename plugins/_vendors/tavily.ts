import { Fault, vendor } from '../../core/sdk/index.js'
import { textAt } from './text-at.js'

/** Tavily. It has two custom status codes for exhausted plans, and may use 403 for missing credit. */
export const tavily = vendor({
  id: 'tavily',
  title: 'Tavily',
  home: 'https://docs.tavily.com',
  baseUrl: 'https://api.tavily.com',
  secrets: { api_key: 'TAVILY_API_KEY' },
  auth: (secret) => ({ headers: { authorization: `Bearer ${secret('api_key')}` } }),
  fault: ({ status, body }) => {
    const text = textAt(body, 'detail', 'error').toLowerCase()
    const unpaid = status === 403 && (text.includes('credit') || text.includes('limit'))
    if (status === 403 && !unpaid) return new Fault('missing', 'tavily does not allow this request.')
    return status === 432 || status === 433 || unpaid ? new Fault('quota', 'The tavily plan or key has reached its limit.') : undefined
  },
})
