import { Fault, or, Type, vendor } from '../../core/sdk/index.js'
import { listAt } from '../_shared/value-at.js'
import { modelSettings } from './model-settings.js'
import { textAt } from './text-at.js'

const name = (value: string, description: string) =>
  or(Type.String({ minLength: 1, maxLength: 200, pattern: '^[A-Za-z0-9._-]+$', description }), value)

/**
 * Google Gemini. A wrong key is 400; 429 is a short rate limit or the daily quota, distinguished only by the details.
 */
export const gemini = vendor({
  id: 'gemini',
  title: 'Google Gemini',
  home: 'https://ai.google.dev/gemini-api/docs',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  secrets: { api_key: 'GEMINI_API_KEY' },
  settings: Type.Object({
    model: name('gemini-2.5-flash', 'Chat model.'),
    ...modelSettings(1_000_000),
  }),
  auth: (secret) => ({ headers: { 'x-goog-api-key': secret('api_key') } }),
  fault: ({ status, body }) => {
    const word = textAt(body, 'error', 'status')
    const details = listAt(body, 'error', 'details')
    if (status === 400 && details.some((detail) => textAt(detail, 'reason') === 'API_KEY_INVALID'))
      return new Fault('credentials', 'gemini does not accept the key in GEMINI_API_KEY.')
    if (status === 400 && word === 'FAILED_PRECONDITION')
      return new Fault('quota', 'gemini has no free tier in this region: the account needs billing.')
    if (status === 402) return new Fault('quota', 'The prepaid credit of the gemini account is used up.')
    if (status === 404) return new Fault('broken', 'gemini has no such model: check CAPSTAN_GEMINI_MODEL or the setting of the capability.')
    if (status === 429) return paused(details)
    return status === 504 ? new Fault('busy', 'gemini timed out.') : undefined
  },
})

function paused(details: readonly unknown[]): Fault | undefined {
  const violations = details.flatMap((detail) => listAt(detail, 'violations'))
  if (violations.some((violation) => textAt(violation, 'quotaId').includes('PerDay')))
    return new Fault('quota', 'The gemini quota of the day is used up.')
  const seconds = details
    .map((detail) => Number.parseFloat(textAt(detail, 'retryDelay')))
    .find((value) => Number.isFinite(value) && value >= 0)
  return seconds === undefined ? undefined : new Fault('busy', 'gemini requests a pause.', { retryAfterSeconds: Math.ceil(seconds) })
}
