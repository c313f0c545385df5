import { isIP } from 'node:net'
import { Fault } from '../sdk/index.js'
import { parseUrl } from '../sdk/url.js'
import { registeredDomain } from './registered-domain.js'
import type { VendorAccess } from '../sdk/host.js'

/**
 * A URL from a vendor's reply, if our credentials may be sent there: by https to a registered domain of the vendor's own addresses, or to
 * exactly the host that the operator set. Throws a `broken` Fault for any other.
 */
export function replyAddress(address: string, { vendor, baseUrl, operatorUrl }: VendorAccess): string {
  const url = parseUrl(address)
  const plain = url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  const own = operatorUrl
    ? plain && url.hostname === parseUrl(baseUrl)?.hostname && ['http:', 'https:'].includes(url.protocol)
    : plain && url.protocol === 'https:' && url.port === '' && domains(vendor).includes(domainOf(url.hostname))
  if (!own) throw new Fault('broken', 'The vendor named an address that is not its own.', { internal: `"${url?.hostname ?? ''}"` })
  return address
}

function domains({ baseUrl, hosts = {} }: VendorAccess['vendor']): string[] {
  return [baseUrl ?? '', ...Object.values(hosts)].flatMap((one) => {
    const url = parseUrl(one)
    return url === null ? [] : [domainOf(url.hostname)]
  })
}

/** The registered domain of a host; an IP address unchanged. */
function domainOf(name: string): string {
  return isIP(name.replace(/^\[|\]$/g, '')) === 0 ? registeredDomain(name) : name
}
