import { UsageError } from './failure.js'

const MAKES = 'capstan keys create --account default makes one'

/** CAPSTAN_API_KEY as it was set. Throws a UsageError for what cannot be a key. */
export function apiKey(text: string): string {
  if (text === '')
    throw new UsageError(
      `CAPSTAN_API_KEY is not set: the first start of the gateway printed a key, and ${MAKES.replace(' one', ' another')}`,
    )
  if (/^bearer\s/i.test(text)) throw new UsageError('CAPSTAN_API_KEY must be the key alone, without Bearer before it')
  if (/[\s'"]/.test(text)) throw new UsageError('CAPSTAN_API_KEY must be the key alone, without spaces and quotes')
  if (text.startsWith('key_')) throw new UsageError(`CAPSTAN_API_KEY is the id of a key; the key itself was shown once, and ${MAKES}`)
  if (text.startsWith('adm_')) throw new UsageError(`CAPSTAN_API_KEY is the admin token; calls want a key: ${MAKES}`)
  return text
}
