import type { Socket } from 'node:net'

/** A reply of status 1xx; 101, which ends HTTP, is none. */
const INTERIM = /^HTTP\/1\.[01] 1(?:00|0[2-9]|[1-9]\d)[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n/
/** Where the status begins in a reply, and how that of an interim one does. */
const STATUS_AT = 9
const ONE = 0x31
/** An interim reply has hardly any headers. */
const LONGEST = 4096

/**
 * Leaves interim replies out of what is read while a reply is awaited. A client must take `100 Continue` also unasked (RFC 9110 15.2), and
 * proxies before vendors send it; the HTTP client ends the connection instead. One that is cut by a packet's end is not seen.
 */
export function skipInterim(socket: Socket, awaited: () => boolean): void {
  const read = socket.read.bind(socket)
  socket.read = (size?: number): unknown => {
    const chunk: unknown = read(size)
    return Buffer.isBuffer(chunk) && awaited() ? withoutInterim(chunk) : chunk
  }
}

function withoutInterim(chunk: Buffer): Buffer | null {
  let rest = chunk
  while (rest[STATUS_AT] === ONE) {
    const [interim] = INTERIM.exec(rest.toString('latin1', 0, LONGEST)) ?? []
    if (interim === undefined) return rest
    if (interim.length === rest.length) return null
    rest = rest.subarray(interim.length)
  }
  return rest
}
