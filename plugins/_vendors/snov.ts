import { Fault, isRecord, retryAfterOf, vendor, type Reply } from '../../core/sdk/index.js'
import { textAt } from './text-at.js'

/** Snov.io. Requests use an access token, obtained with the client id and secret. Errors may come with status 200. */
export const snov = vendor({
  id: 'snov',
  title: 'Snov.io',
  home: 'https://snov.io/api',
  baseUrl: 'https://api.snov.io',
  secrets: { client_id: 'SNOV_CLIENT_ID', client_secret: 'SNOV_CLIENT_SECRET' },
  pace: { requests: 60, perMs: 60_000 },
  fault: errorOf,
})

/** `success: false` with a list of errors; exhausted credits have no status of their own. */
function errorOf({ status, headers, body }: Reply): Fault | undefined {
  if (!isRecord(body) || (body['success'] !== false && status < 400)) return undefined
  const words = wordsOf(body)
  if (/\bcredits?\b|\bbalance\b/.test(words)) return new Fault('quota', 'The Snov.io account has no credits left.')
  if (status >= 400) return undefined
  if (/\btoken\b|\bunauthori[sz]ed\b|\binvalid client\b/.test(words)) return new Fault('credentials', 'Snov.io refused the access token.')
  if (/\blimit\b|\btoo many\b/.test(words)) {
    const seconds = retryAfterOf(headers['retry-after'], Date.now())
    return new Fault('busy', 'Snov.io limits the rate of requests.', seconds === undefined ? {} : { retryAfterSeconds: seconds })
  }
  return new Fault('invalid', 'Snov.io refused the request.')
}

/** Texts of the errors in either form, in lower case. */
function wordsOf(body: Readonly<Record<string, unknown>>): string {
  const errors: readonly unknown[] = [body['message'], body['error'], body['errors']].flat()
  return errors
    .flatMap((error) => (typeof error === 'string' ? [error] : ['code', 'title', 'message', 'detail'].map((name) => textAt(error, name))))
    .join(' ')
    .toLowerCase()
    .replaceAll('_', ' ')
}
