import { randomInt } from 'node:crypto'
import { decode, type DecodedPacket } from 'dns-packet'

const HEADER_BYTES = 12
/** RD, and AD: we understand the AD bit of the answer (RFC 6840 5.7). */
const FLAGS = 0x0120
/** CD: disables validation by the name server (RFC 4035 3.2.2). */
const CHECKING_DISABLED = 0x0010
const INTERNET = 1
const OPT = 41
/** The largest message that no path fragments (DNS flag day 2020). */
const UDP_BYTES = 1_232
const DNSSEC_OK = 0x8000
const RESPONSE = 0x80
const OPCODE = 0x78
const TRUNCATED = 0x02
/** The two bits that distinguish a pointer from a label. */
const POINTER = 0xc000
/** Above 1, since the bytes of keys sometimes resemble pointers. */
const DEEPEST_POINTER = 8

/** A query as it is sent, with an unpredictable id. */
export class QueryMessage {
  readonly message: Buffer
  readonly #section: Buffer

  /**
   * `name` is ASCII without the trailing dot, empty for the root. `edns` also requests signatures (RFC 6891, RFC 3225),
   * `unchecked` an answer that the name server does not validate.
   */
  constructor(name: string, type: number, { edns, unchecked = false }: { readonly edns: boolean; readonly unchecked?: boolean }) {
    this.#section = Buffer.concat([encodeName(name), words(type, INTERNET)])
    const header = words(randomInt(0x1_0000), unchecked ? FLAGS | CHECKING_DISABLED : FLAGS, 1, 0, 0, edns ? 1 : 0)
    const opt = Buffer.concat([Buffer.of(0), words(OPT, UDP_BYTES, 0, DNSSEC_OK, 0)])
    this.message = Buffer.concat([header, this.#section, ...(edns ? [opt] : [])])
  }

  /** True for an answer to this query (RFC 5452 9.1): datagrams can be forged. */
  fits(message: Buffer): boolean {
    if (message.length < HEADER_BYTES + this.#section.length) return false
    const flags = message.readUInt8(2)
    if (message.readUInt16BE(0) !== this.message.readUInt16BE(0) || (flags & RESPONSE) === 0 || (flags & OPCODE) !== 0) return false
    const section = message.subarray(HEADER_BYTES, HEADER_BYTES + this.#section.length)
    return message.readUInt16BE(4) === 1 && sameQuestion(section, this.#section)
  }
}

/** True when the rest of the answer must be fetched by TCP. */
export function isTruncated(message: Buffer): boolean {
  return (message.readUInt8(2) & TRUNCATED) !== 0
}

/** The decoded message; null for one that is malformed or nests pointers too deeply. */
export function readMessage(message: Buffer): DecodedPacket | null {
  if (pointsTooDeep(message)) return null
  try {
    return decode(message)
  } catch {
    return null
  }
}

/** The response code, with its upper bits of the OPT record (RFC 6891 6.1.3). */
export function responseCode({ flags = 0, additionals = [] }: DecodedPacket): number {
  let upper = 0
  for (const record of additionals) if (record.type === 'OPT') upper = record.extendedRcode
  return (upper << 4) | (flags & 0xf)
}

/**
 * True when pointers of compressed names (RFC 1035 4.1.4) form long chains, which no real server sends: the library follows all of
 * them for each record, in a time that grows with the square of the message.
 */
function pointsTooDeep(message: Buffer): boolean {
  const depths = new Uint8Array(message.length)
  for (let at = 0; at + 1 < message.length; at++) {
    const word = message.readUInt16BE(at)
    const target = word & ~POINTER
    if ((word & POINTER) !== POINTER || target >= at) continue
    const depth = (depths[target] ?? 0) + 1
    if (depth > DEEPEST_POINTER) return true
    depths[at] = depth
  }
  return false
}

/** Names are compared without regard to case. */
function sameQuestion(one: Buffer, other: Buffer): boolean {
  const [end, otherEnd] = [one.length - 4, other.length - 4]
  return (
    one.toString('latin1', 0, end).toLowerCase() === other.toString('latin1', 0, otherEnd).toLowerCase() &&
    one.subarray(end).equals(other.subarray(otherEnd))
  )
}

function encodeName(name: string): Buffer {
  const labels = name === '' ? [] : name.split('.')
  return Buffer.concat([...labels.flatMap((label) => [Buffer.of(label.length), Buffer.from(label, 'latin1')]), Buffer.of(0)])
}

function words(...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 2)
  for (const [index, value] of values.entries()) buffer.writeUInt16BE(value, index * 2)
  return buffer
}
