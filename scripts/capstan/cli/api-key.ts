import { UsageError } from './failure.js'

const CREATE = 'create one with capstan keys create --account default'

/** CAPSTAN_API_KEY as it was set. Throws a UsageError for what cannot be a key. */
export function apiKey(text: string): string {
  if (text === '') throw new UsageError(`CAPSTAN_API_KEY is not set: use the key that the first start of the gateway printed, or ${CREATE}`)
  if (/^bearer\s/i.test(text)) throw new UsageError('CAPSTAN_API_KEY must be the key alone, without Bearer')
  if (/[\s'"]/.test(text)) throw new UsageError('CAPSTAN_API_KEY must be the key alone, without spaces and quotes')
  if (text.startsWith('key_')) throw new UsageError(`CAPSTAN_API_KEY is the id of a key; the key itself was shown only once: ${CREATE}`)
  if (text.startsWith('adm_')) throw new UsageError(`CAPSTAN_API_KEY is the admin token, but calls need a key: ${CREATE}`)
  return text
}
