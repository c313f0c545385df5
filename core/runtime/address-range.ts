import ipaddr from 'ipaddr.js'

/** The range that counts as one client: an IPv4 address, or the /64 of an IPv6 address. */
export function addressRange(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return parsed.toNormalizedString().split(':').slice(0, 4).join(':')
}

/** True when the address is one of the listed ones or inside one of the listed networks. */
export function inList(address: string, list: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return list.some((entry) => {
    const [network, bits] = parseRange(entry)
    return network.kind() === parsed.kind() && parsed.match(network, bits)
  })
}

/** An address or CIDR as network and prefix length; throws a RangeError naming the entry. */
export function parseRange(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry)
  if (!ipaddr.isValid(entry)) throw new RangeError(`"${entry}" is not an IP address or CIDR range`)
  const network = ipaddr.process(entry)
  return [network, network.kind() === 'ipv4' ? 32 : 128]
}
