import { Fault, retryAfterOf, vendor, type FaultKind } from '../../core/sdk/index.js'

/** Only the status is reliable. The path may contain a person's name, so only this text is logged. */
const MEANINGS: Readonly<Record<number, readonly [FaultKind, string]>> = {
  400: ['invalid', 'Coresignal refused the request.'],
  401: ['credentials', 'Coresignal refused the key.'],
  402: ['quota', 'The Coresignal account has no credits left.'],
  422: ['invalid', 'Coresignal refused the request.'],
  404: ['missing', 'Coresignal has no such record.'],
  454: ['missing', 'Coresignal reports that the profile was deleted or private.'],
  429: ['busy', 'Coresignal requests a pause.'],
  503: ['busy', 'Coresignal is busy.'],
}

/** Rate limits are per second. */
const PAUSE_S = 1

const FAILED = ['broken', 'Coresignal failed.'] as const

/** Coresignal. 454 is a deleted or private profile; the rate limit is per second, without a time in the reply. */
export const coresignal = vendor({
  id: 'coresignal',
  title: 'Coresignal',
  home: 'https://docs.coresignal.com',
  baseUrl: 'https://api.coresignal.com/cdapi/v2',
  secrets: { api_key: 'CORESIGNAL_API_KEY' },
  auth: (secret) => ({ headers: { apikey: secret('api_key') } }),
  fault: ({ status, headers }) => {
    const meaning = status >= 500 && status !== 503 ? FAILED : MEANINGS[status]
    if (meaning === undefined) return undefined
    return new Fault(...meaning, status === 429 ? { retryAfterSeconds: retryAfterOf(headers['retry-after'], Date.now()) ?? PAUSE_S } : {})
  },
})
