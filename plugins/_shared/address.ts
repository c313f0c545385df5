import type { Violation } from '../../core/sdk/index.js'
import { parseUrl } from '../../core/sdk/url.js'

export interface AddressField {
  /** Where the address is in the input. */
  readonly loc: readonly (string | number)[]
  /** It names a file, which callers may have themselves. */
  readonly file?: boolean
}

const OF_FILES = '; a file of your own is sent with POST /v1/files, which answers with its address'

/** What is wrong with the form of a web address that a caller gave; empty when it can be fetched. */
export function addressViolations(text: string, { loc, file = false }: AddressField): Violation[] {
  const own = file ? OF_FILES : ''
  const refused = (msg: string): Violation[] => [{ loc, msg, type: 'format' }]
  const url = parseUrl(text)
  if (url === null) return refused(`is not a complete address, such as https://example.com/page${own}`)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return refused(`must begin with http:// or https://${own}`)
  return url.username === '' && url.password === '' ? [] : refused('must not contain a user name or password')
}

/** An address up to its fragment: what is sent to the server. */
export function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? url
}

/** A text without its percent-encoding (RFC 3986 2.1); the text itself where that is damaged. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}
