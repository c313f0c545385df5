import { isPublic } from '../../../../core/outbound/address.js'
import { bareHost } from '../../../../core/outbound/allow.js'
import { Fault, type PublicAddress } from '../../../../core/sdk/index.js'
import { parseUrl } from '../../../../core/sdk/url.js'

/** Of TEST-NET-3 (RFC 5737): what every name of a fixture stands for. */
const ADDRESS = '203.0.113.10'

/** What the guard makes of an address as far as no look-up is needed. */
export function scriptedAddress(text: string): PublicAddress {
  if (parseUrl(text) === null) throw new Fault('blocked', 'the address is not a valid URL')
  const url = new URL(text)
  const host = bareHost(url.hostname)
  // The parser of addresses has made four numbers of every form of IPv4.
  const literal = host !== url.hostname || /^[\d.]+$/.test(host)
  if ((literal && !isPublic(host)) || host === 'localhost' || !/^https?:$/.test(url.protocol))
    throw new Fault('blocked', 'the address is not public', { obstacle: 'private' })
  return { url: url.href, addresses: [literal ? host : ADDRESS] }
}
