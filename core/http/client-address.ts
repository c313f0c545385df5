import ipaddr from 'ipaddr.js'
import type { IncomingMessage, Server } from 'node:http'
import { addressId } from '../limits/rate.js'
import { inList } from '../runtime/address-range.js'

/** The usual form of a socket's IPv4 address, which needs no parsing. */
const PLAIN_V4 = /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/

/** Replaces every client address that a trusted proxy sent in an unreadable form: in no range, counts as one client. */
export const UNREADABLE = 'unreadable'

/**
 * The client's address: the socket's, or behind a trusted proxy the last untrusted hop of X-Forwarded-For (the first hop
 * when all are trusted), which may have a port. `UNREADABLE` when that is not an address or the header is empty.
 */
export function clientAddress(request: IncomingMessage, trusted: readonly string[]): string {
  const peer = plainAddress(request.socket.remoteAddress ?? '')
  const header = request.headers['x-forwarded-for']
  if (header === undefined || trusted.length === 0 || !inList(peer, trusted)) return peer
  const listed = (Array.isArray(header) ? header.join(',') : header).split(',').map((hop) => hop.trim())
  // RFC 9110 5.6.1: empty elements of a list are ignored.
  const hops = listed.filter((hop) => hop !== '')
  let first = UNREADABLE
  for (const hop of hops.reverse()) {
    first = hopAddress(hop)
    if (!inList(first, trusted)) return first
  }
  return first
}

/** Normalises a socket's address; IPv4-mapped IPv6 becomes IPv4. */
function plainAddress(remote: string): string {
  return PLAIN_V4.test(remote) || !ipaddr.isValid(remote) ? remote : ipaddr.process(remote).toString()
}

/** The address of one hop without quotes, brackets, port and zone (RFC 7239 6 allows an obfuscated port); otherwise `UNREADABLE`. */
function hopAddress(hop: string): string {
  const node = hop.startsWith('"') && hop.endsWith('"') ? hop.slice(1, -1) : hop
  const bracketed = /^\[([^\]]*)\](.*)$/.exec(node)
  if (bracketed !== null) return isPort(bracketed[2] ?? '') && isV6(bracketed[1] ?? '') ? withoutZone(bracketed[1] ?? '') : UNREADABLE
  if (isAddress(node)) return withoutZone(node)
  const colon = Math.max(node.lastIndexOf(':'), 0)
  const host = node.slice(0, colon)
  return isAddress(host) && isPort(node.slice(colon)) ? withoutZone(host) : UNREADABLE
}

const V4_PART = /(?:^|:)([^:%]*\.[^:%]*)/

/** Refuses other number bases and shortened forms, which programs interpret differently. */
const isV4 = (text: string): boolean => ipaddr.IPv4.isValidFourPartDecimal(text)

function isV6(text: string): boolean {
  const tail = V4_PART.exec(text)?.[1]
  return ipaddr.IPv6.isValid(text) && (tail === undefined || isV4(tail))
}

const isAddress = (text: string): boolean => isV4(text) || isV6(text)

const isPort = (text: string): boolean =>
  text === '' || (/^:\d{1,5}$/.test(text) && Number(text.slice(1)) < 65_536) || /^:_[\w.-]{1,64}$/.test(text)

const withoutZone = (address: string): string => plainAddress(address.split('%', 1)[0] ?? '')

/**
 * Limits the open connections of one address (IPv6: of one network), so that one caller cannot take all connections of
 * the server; further ones are closed at once, without an answer. Trusted proxies serve many callers and have no limit.
 */
export function boundAddressConnections(server: Server, { most, trusted }: { most: number; trusted: readonly string[] }): void {
  const open = new Map<string, number>()
  server.prependListener('connection', (socket: IncomingMessage['socket']) => {
    const address = plainAddress(socket.remoteAddress ?? '')
    if (trusted.length > 0 && inList(address, trusted)) return
    const id = addressId(address)
    const count = (open.get(id) ?? 0) + 1
    open.set(id, count)
    socket.on('close', () => {
      const left = (open.get(id) ?? 1) - 1
      if (left === 0) open.delete(id)
      else open.set(id, left)
    })
    if (count > most) socket.destroy()
  })
}
