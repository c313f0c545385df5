import { Problem } from '../problems/problem.js'

const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="capstan"' }

/** The kind of credential in a Bearer header, for messages. */
export interface Credential {
  /** `API key`. */
  readonly name: string
  readonly action?: string
}

const API_KEY: Credential = { name: 'API key' }

/** The credential of an Authorization header. Throws `authentication-required`, naming the fault of the header. */
export function bearer(header: string | undefined, credential = API_KEY): string {
  const text = (header ?? '').trim()
  const [scheme = '', value = '', ...rest] = text.split(/ +/, 3)
  const { name } = credential
  if (text === '') throw refused('The request has no Authorization header.', credential)
  if (scheme.toLowerCase() !== 'bearer')
    throw refused(
      value === ''
        ? `The Authorization header starts with the ${name} itself: put the word Bearer and a space in front of it.`
        : `The Authorization header does not use the Bearer scheme, which the ${name} requires.`,
      credential,
    )
  if (value === '') throw refused(`No ${name} follows the word Bearer.`, credential)
  if (rest.length > 0) throw refused(`The word Bearer is followed by more than the ${name}.`, credential)
  if (/^["'<{[].*["'>}\]]$/.test(value)) throw refused(`Send the ${name} without quotes or brackets around it.`, credential)
  return value
}

/** The refusal of a request without a credential. */
export function refused(detail: string, { action }: Credential = API_KEY): Problem {
  return new Problem('authentication-required', detail, { headers: CHALLENGE, ...(action === undefined ? {} : { action }) })
}
