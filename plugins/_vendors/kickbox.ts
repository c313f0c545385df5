import { Fault, isRecord, vendor, type Reply } from '../../core/sdk/index.js'
import { textAt } from './text-at.js'

/** Kickbox API v2. An empty balance is 403, like a key without permission. EU accounts set the address `https://api.eu.kickbox.com/v2`. */
export const kickbox = vendor({
  id: 'kickbox',
  title: 'Kickbox',
  home: 'https://docs.kickbox.com/docs/single-verification-api',
  baseUrl: 'https://api.kickbox.com/v2',
  secrets: { api_key: 'KICKBOX_API_KEY' },
  auth: (secret) => ({ headers: { authorization: `Bearer ${secret('api_key')}` } }),
  pace: { requests: 8_000, perMs: 60_000, concurrent: 25 },
  fault: errorOf,
})

function errorOf({ status, body }: Reply): Fault | undefined {
  const message = textAt(body, 'message')
  if (status === 403 || status < 300) {
    if (/balance/i.test(message)) return new Fault('quota', 'The Kickbox account has no balance left.')
    if (/api key/i.test(message)) return new Fault('credentials', 'Kickbox does not accept the key.')
    if (/rate limit/i.test(message)) return new Fault('busy', 'Kickbox limits the rate of requests.')
  }
  if (status === 415) return new Fault('broken', 'Kickbox does not accept this form of request.')
  return status < 300 && isRecord(body) && body['success'] === false ? new Fault('broken', 'Kickbox failed.') : undefined
}
