import { Fault, vendor } from '../../core/sdk/index.js'
import { textAt } from './text-at.js'

/**
 * Jina Reader. It also works without a key, but callers' addresses are sent to it only when the operator configured a
 * key or an own instance.
 */
export const jina = vendor({
  id: 'jina',
  title: 'Jina Reader',
  home: 'https://jina.ai/reader',
  baseUrl: 'https://r.jina.ai',
  secrets: { api_key: 'JINA_API_KEY' },
  keylessWithUrl: true,
  auth: (secret) => ({ headers: { authorization: `Bearer ${secret('api_key')}` } }),
  fault: ({ status, body }) => {
    if (status === 409 || status === 413) return new Fault('blocked', 'the page is larger than Jina Reader accepts')
    if (status === 422) return new Fault('blocked', 'Jina Reader could not open the page or found nothing readable in time')
    if (status === 451) return new Fault('blocked', 'Jina Reader does not open this address')
    const seconds = Number.parseFloat(textAt(body, 'retryAfter'))
    if (status === 429 && Number.isFinite(seconds))
      return new Fault('busy', 'Jina Reader accepts no more requests for now.', { retryAfterSeconds: Math.ceil(seconds) })
    return undefined
  },
})
