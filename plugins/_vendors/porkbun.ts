import { Fault, retryAfterOf, vendor } from '../../core/sdk/index.js'
import { textAt } from './text-at.js'

/** Porkbun; its price list needs no key. Errors may come with status 200, so the body decides. */
export const porkbun = vendor({
  id: 'porkbun',
  title: 'Porkbun (keyless price list)',
  home: 'https://porkbun.com/api/json/v3/documentation',
  baseUrl: 'https://api.porkbun.com/api/json/v3',
  fault: ({ status, headers, body }) => {
    if (textAt(body, 'status') !== 'ERROR') return undefined
    const code = textAt(body, 'code')
    const message = textAt(body, 'message').toLowerCase()
    if (status === 429 || code.includes('RATE') || /\brate\b|\btoo many\b/.test(message)) return pauseOf(headers, body)
    if (code === 'API_KEY_REQUIRED' || /INVALID_API_KEY|INVALID_KEY/.test(code) || message.includes('api key'))
      return new Fault('credentials', 'Porkbun wants a key for its list of prices.')
    return status < 400 ? new Fault('broken', 'Porkbun answered with an error.') : undefined
  },
})

/** 429, and 400 and 503 with a message about rates: the pause is in the header or in the body. */
function pauseOf(headers: Readonly<Record<string, string>>, body: unknown): Fault {
  const left = Number(textAt(body, 'ttlRemaining'))
  const seconds = retryAfterOf(headers['retry-after'], Date.now()) ?? (left > 0 ? Math.ceil(left) : undefined)
  return new Fault('busy', 'Porkbun requests a pause.', seconds === undefined ? {} : { retryAfterSeconds: seconds })
}
