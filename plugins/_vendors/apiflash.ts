import { Fault, vendor } from '../../core/sdk/index.js'
import { textAt } from './text-at.js'

/** ApiFlash. 400 is an invalid field or a page that could not be captured, distinguished by the text. */
export const apiflash = vendor({
  id: 'apiflash',
  title: 'ApiFlash',
  home: 'https://apiflash.com/documentation',
  baseUrl: 'https://api.apiflash.com/v1',
  secrets: { access_key: 'APIFLASH_ACCESS_KEY' },
  auth: (secret) => ({ query: { access_key: secret('access_key') } }),
  fault: ({ status, body }) => {
    if (status !== 400) return undefined
    const text = typeof body === 'string' ? body.slice(0, 500) : textAt(body, 'error_message')
    if (/\bDNS\b|not resolved|resolve/i.test(text)) return new Fault('missing', 'the host of the page is unknown')
    if (/time ?out|timed out|could not be captured/i.test(text)) return new Fault('blocked', 'the page could not be pictured in time')
    return undefined
  },
})
