import ipaddr from 'ipaddr.js'
import { isIP } from 'node:net'

/** A block of addresses: its bytes (4 or 16) and how many leading bits count. */
export interface Block {
  readonly bytes: readonly number[]
  readonly bits: number
}

/** IPv4 blocks that are not global unicast, after IANA's special-purpose registry, without its exceptions. */
export const REFUSED_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
] as const

/** Excluded parts of 2000::/3, the only global unicast block: protocol assignments (Teredo, ORCHID, benchmarks), documentation, 6to4. */
export const REFUSED_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'] as const

/** IPv6 forms that are public exactly when their IPv4 part is: mapped addresses and the global NAT64 prefix. */
const JUDGED_BY_V4 = ['::ffff:0:0/96', '64:ff9b::/96'].map(block)

/** Every IPv6 form that embeds an IPv4 address, and the byte where it begins; Teredo's is inverted. */
const CARRIERS = [
  ...JUDGED_BY_V4.map((prefix) => ({ prefix, at: 12, inverted: false })),
  { prefix: block('::/96'), at: 12, inverted: false },
  { prefix: block('64:ff9b:1::/48'), at: 12, inverted: false },
  { prefix: block('2002::/16'), at: 2, inverted: false },
  { prefix: block('2001::/32'), at: 12, inverted: true },
]
const GLOBAL_V6 = block('2000::/3')
const HOLES_V4 = REFUSED_V4.map(block)
const HOLES_V6 = REFUSED_V6.map(block)

/** Ranges of ipaddr.js that are allowed: unicast, and blocks that IANA lists as globally reachable. A second check beside our table. */
const REACHABLE = new Set(['unicast', 'as112', 'as112v6', 'amt'])

/** Parses `address/bits`. Throws a RangeError when it is invalid. */
export function block(cidr: string): Block {
  const [address = '', length = ''] = cidr.split('/')
  const bytes = addressBytes(address)
  const bits = Number(length)
  if (bytes === null || !/^\d{1,3}$/.test(length) || bits > bytes.length * 8) throw new RangeError(`"${cidr}" is not an address block`)
  return { bytes, bits }
}

/** The 4 or 16 bytes of an address in its plain written form; null for anything else, zone ids included. */
export function addressBytes(address: string): number[] | null {
  if (isIP(address) === 0 || address.includes('%')) return null
  return ipaddr.parse(address.includes(':') ? undotted(address) : address).toByteArray()
}

/** ipaddr.js parses `::a.b.c.d` as the mapped address, which is a different one: so the dotted tail is converted to hexadecimal first. */
function undotted(address: string): string {
  const tail = address.slice(address.lastIndexOf(':') + 1)
  if (!tail.includes('.')) return address
  const [a = 0, b = 0, c = 0, d = 0] = tail.split('.').map(Number)
  return `${address.slice(0, -tail.length)}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
}

/** True when the leading bits of the address are those of the block. */
export function within(bytes: readonly number[], { bytes: prefix, bits }: Block): boolean {
  if (bytes.length !== prefix.length) return false
  const whole = bits >> 3
  for (let at = 0; at < whole; at++) if (bytes[at] !== prefix[at]) return false
  const rest = bits & 7
  return rest === 0 || ((bytes[whole] ?? 0) ^ (prefix[whole] ?? 0)) >> (8 - rest) === 0
}

/** The IPv4 address inside an IPv6 one (mapped, compatible, NAT64, 6to4, Teredo), or null. */
export function embeddedV4(bytes: readonly number[]): number[] | null {
  const carrier = CARRIERS.find(({ prefix }) => within(bytes, prefix))
  if (carrier === undefined) return null
  return bytes.slice(carrier.at, carrier.at + 4).map((byte) => (carrier.inverted ? byte ^ 255 : byte))
}

/**
 * True only for global unicast addresses; what cannot be parsed is not public. An embedded IPv4 address must be public
 * too, and its IPv6 form globally reachable: 6to4, Teredo, IPv4-compatible and local NAT64 addresses never are.
 */
export function isPublic(address: string): boolean {
  const bytes = addressBytes(address)
  if (bytes === null) return false
  if (bytes.length === 4) return isPublicV4(bytes)
  const inner = embeddedV4(bytes)
  if (inner !== null) return isPublicV4(inner) && JUDGED_BY_V4.some((prefix) => within(bytes, prefix))
  return within(bytes, GLOBAL_V6) && !HOLES_V6.some((hole) => within(bytes, hole)) && REACHABLE.has(ipaddr.fromByteArray(bytes).range())
}

function isPublicV4(bytes: number[]): boolean {
  return !HOLES_V4.some((hole) => within(bytes, hole)) && REACHABLE.has(ipaddr.fromByteArray(bytes).range())
}

/** The canonical spelling of an address, for comparison: mapped addresses become IPv4. Null for another text. */
export function canonical(address: string): string | null {
  const bytes = addressBytes(address)
  return bytes === null ? null : ipaddr.process(ipaddr.fromByteArray(bytes).toString()).toString()
}
