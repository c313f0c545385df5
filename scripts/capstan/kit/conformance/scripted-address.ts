import { isPublic } from '../../../../core/outbound/address.js'
import { bareHost } from '../../../../core/outbound/allow.js'
import { Fault, type PublicAddress } from '../../../../core/sdk/index.js'
import { parseUrl } from '../../../../core/sdk/url.js'

/** An address of TEST-NET-3 (RFC 5737) to which every name of a fixture resolves. */
const ADDRESS = '203.0.113.10'

/** The guard's checks of an address that need no lookup. */
export function scriptedAddress(text: string): PublicAddress {
  if (parseUrl(text) === null) throw new Fault('blocked', 'the address is not a valid URL')
  const url = new URL(text)
  const host = bareHost(url.hostname)
  // The URL parser has normalised every form of IPv4 to four numbers.
  const literal = host !== url.hostname || /^[\d.]+$/.test(host)
  if ((literal && !isPublic(host)) || host === 'localhost' || !/^https?:$/.test(url.protocol))
    throw new Fault('blocked', 'the address is not public', { obstacle: 'private' })
  return { url: url.href, addresses: [literal ? host : ADDRESS] }
}
