import type { Violation } from './port.js'
import { parseUrl } from './url.js'

export interface AddressField {
  /** Where the address stands in the input. */
  readonly loc: readonly (string | number)[]
  /** It names a file, which callers may have themselves. */
  readonly file?: boolean
}

const OF_FILES = '; a file of your own is sent with POST /v1/files, which answers with its address'

/** What is wrong with the form of an address on the web that a caller gave; empty when it can be asked for. */
export function addressViolations(text: string, { loc, file = false }: AddressField): Violation[] {
  const own = file ? OF_FILES : ''
  const refused = (msg: string): Violation[] => [{ loc, msg, type: 'format' }]
  const url = parseUrl(text)
  if (url === null) return refused(`is not a complete address, such as https://example.com/page${own}`)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return refused(`must begin with http:// or https://${own}`)
  return url.username === '' && url.password === '' ? [] : refused('must not contain a user name or password')
}
