import { Fault, vendor } from '../../core/sdk/index.js'

/**
 * ip-api. Its free host is for non-commercial use and plain HTTP, so it is used only when the operator's waterfall
 * names it; with a key, the paid host is used. The pace is that of the free host, since the paid one has none.
 */
export const ipApi = vendor({
  id: 'ip-api',
  title: 'ip-api',
  home: 'https://ip-api.com/docs',
  baseUrl: 'http://ip-api.com',
  hosts: { pro: 'https://pro.ip-api.com' },
  optionalSecrets: { key: 'IP_API_KEY' },
  optIn: true,
  auth: (secret) => {
    const key = secret('key')
    return key === '' ? {} : { query: { key } }
  },
  fault: ({ status, headers }) => {
    if (status === 403) return new Fault('credentials', 'ip-api refuses the request: check IP_API_KEY.')
    const seconds = Number(headers['x-ttl'])
    if (status !== 429 || !Number.isFinite(seconds) || headers['x-ttl'] === '') return undefined
    return new Fault('busy', 'ip-api accepts no more requests for now.', { retryAfterSeconds: Math.max(1, Math.ceil(seconds)) })
  },
})
