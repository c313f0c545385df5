import { Fault, vendor } from '../../core/sdk/index.js'
import { textAt } from './text-at.js'

/** Browserless, the operator's own instance. Its errors are plain text, or JSON with `error`. */
export const browserless = vendor({
  id: 'browserless',
  title: 'Browserless (own instance)',
  home: 'https://docs.browserless.io',
  needsUrl: true,
  optionalSecrets: { token: 'BROWSERLESS_TOKEN' },
  auth: (secret) => {
    const token = secret('token')
    return token === '' ? {} : { headers: { authorization: `Bearer ${token}` } }
  },
  fault: ({ status, body }) => {
    const text = typeof body === 'string' ? body : textAt(body, 'error')
    if (status === 400 && /selector|element|not found/i.test(text))
      return new Fault('missing', 'wait_for: no element matched the selector in time')
    if (status === 403) return new Fault('blocked', 'The Browserless instance does not open this address.')
    if (status === 404) return new Fault('broken', 'The Browserless instance has no route for this: check the vendor address.')
    if (status === 408) return new Fault('blocked', 'the page was not ready in time', { unavailable: true })
    if (status === 500 && text.includes('ERR_NAME_NOT_RESOLVED'))
      return new Fault('missing', 'the host of the page is unknown', { final: true })
    if (status === 500 && text.includes('net::ERR_')) return new Fault('blocked', 'the page could not be opened')
    return undefined
  },
})
