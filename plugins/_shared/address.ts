import type { Violation } from '../../core/sdk/index.js'
import { parseUrl } from '../../core/sdk/url.js'

export interface AddressField {
  /** Where the address is in the input. */
  readonly loc: readonly (string | number)[]
  /** The address is of a file, which the caller may also upload. */
  readonly file?: boolean
}

const OF_FILES = '; a file of your own is sent with POST /v1/files, which answers with its address'

/** Validation errors in the form of a caller's web address; empty when the address can be fetched. */
export function addressViolations(text: string, { loc, file = false }: AddressField): Violation[] {
  const own = file ? OF_FILES : ''
  const refused = (msg: string): Violation[] => [{ loc, msg, type: 'format' }]
  const url = parseUrl(text)
  if (url === null) return refused(`is not a complete address, such as https://example.com/page${own}`)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return refused(`must begin with http:// or https://${own}`)
  return url.username === '' && url.password === '' ? [] : refused('must not contain a user name or password')
}

/** An address without its fragment, as sent to the server. */
export function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? url
}

/** Decodes percent-encoding (RFC 3986 2.1); returns the text unchanged when the encoding is malformed. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}
