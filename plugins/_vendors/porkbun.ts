import { Fault, vendor } from '../../core/sdk/index.js'
import { textAt } from './text-at.js'

/** Porkbun, whose list of prices needs no key. Errors may come with status 200, so that the body's own word counts. */
export const porkbun = vendor({
  id: 'porkbun',
  title: 'Porkbun (keyless price list)',
  home: 'https://porkbun.com/api/json/v3/documentation',
  baseUrl: 'https://api.porkbun.com/api/json/v3',
  fault: ({ status, body }) => {
    if (textAt(body, 'status') !== 'ERROR') return undefined
    const code = textAt(body, 'code')
    const message = textAt(body, 'message').toLowerCase()
    if (status === 429 || code.includes('RATE') || message.includes('rate limit')) return pauseOf(status, body)
    if (code === 'API_KEY_REQUIRED' || /INVALID_API_KEY|INVALID_KEY/.test(code) || message.includes('api key'))
      return new Fault('credentials', 'Porkbun wants a key for its list of prices.')
    return status < 400 ? new Fault('broken', 'Porkbun answered with an error.') : undefined
  },
})

/** A 429 speaks for itself, with its Retry-After; 400 and 503 with a message about rates do not. */
function pauseOf(status: number, body: unknown): Fault | undefined {
  if (status === 429) return undefined
  const seconds = Number(textAt(body, 'ttlRemaining'))
  return new Fault('busy', 'Porkbun asks for a pause.', seconds > 0 ? { retryAfterSeconds: Math.ceil(seconds) } : {})
}
