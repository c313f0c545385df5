import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import { inList } from '../limits/address-range.js'

/** A socket's IPv4 address is in its only form already; others may be IPv4 in the clothes of IPv6. */
const PLAIN_V4 = /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/

/** The visitor's address: of the socket, or, when that is a trusted proxy, the last hop of X-Forwarded-For that is not one. */
export function clientAddress(request: IncomingMessage, trusted: readonly string[]): string {
  const peer = plainAddress(request.socket.remoteAddress ?? '')
  if (trusted.length === 0 || !inList(peer, trusted)) return peer
  const header = request.headers['x-forwarded-for']
  const hops = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').map((hop) => plain(hop.trim()))
  for (const hop of hops.reverse()) {
    if (!ipaddr.isValid(hop)) return peer
    if (!inList(hop, trusted)) return hop
  }
  return peer
}

/** A socket's address in one form: IPv4 also where it is mapped into IPv6. */
export function plainAddress(remote: string): string {
  return PLAIN_V4.test(remote) ? remote : plain(remote)
}

function plain(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address
}
