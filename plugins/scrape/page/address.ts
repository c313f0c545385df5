import type { Violation } from '../../../core/sdk/index.js'
import { parseUrl } from '../../../core/sdk/url.js'

/** What is wrong with an address given by a caller, as violations at `url`; empty when it can be asked for. */
export function addressViolations(url: string): Violation[] {
  const parsed = parseUrl(url)
  if (parsed === null) return [{ loc: ['url'], msg: 'is not a complete address such as https://example.com/page', type: 'format' }]
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')
    return [{ loc: ['url'], msg: 'must begin with http:// or https://', type: 'format' }]
  if (parsed.username !== '' || parsed.password !== '')
    return [{ loc: ['url'], msg: 'must not contain a user name or password', type: 'format' }]
  return []
}
