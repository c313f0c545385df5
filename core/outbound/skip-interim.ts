import type { Socket } from 'node:net'

/** A reply of status 1xx, except 101, which ends HTTP. */
const INTERIM = /^HTTP\/1\.[01] 1(?:00|0[2-9]|[1-9]\d)[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n/
/** Offset of the status in a reply, and the first digit of an interim one. */
const STATUS_AT = 9
const ONE = 0x31
/** An interim reply has hardly any headers. */
const LONGEST = 4096

/**
 * Skips interim replies while a reply is awaited. A client must accept an unrequested `100 Continue` (RFC 9110 15.2), which proxies in
 * front of vendors send; the HTTP client closes the connection instead. One that is split over packets is not detected.
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
