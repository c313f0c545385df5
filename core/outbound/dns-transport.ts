import { createSocket } from 'node:dgram'
import { isIP } from 'node:net'
import type { Cancel } from '../runtime/cancel.js'
import type { DnsQuery } from './dns-message.js'
import { RequestStopped } from './exchange.js'
import type { ServiceHost } from './service-host.js'
import type { Sockets } from './sockets.js'

/** So many datagrams that do not match the query indicate spoofing: TCP is used instead. */
const MOST_STRAYS = 16
/** Longer answers are refused, since they are decoded on the event loop. */
const LONGEST = 16_384

/** The answer by UDP, through a port that the system chose. Rejects with ESTRAYS after too many mismatched datagrams, with RequestStopped, or with the socket's error. */
export function queryByUdp({ host, port }: ServiceHost, query: DnsQuery, cancel: Cancel): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(isIP(host) === 6 ? 'udp6' : 'udp4')
    let strays = 0
    let settled = false
    // No removeAllListeners: a socket that is still binding closes itself by a listener of its own.
    const settle = (after: () => void): void => {
      if (settled) return
      settled = true
      forget()
      socket.close()
      after()
    }
    socket.on('error', (error) => settle(() => reject(error)))
    socket.on('message', (message) => {
      if (query.fits(message)) settle(() => resolve(message))
      else if (++strays >= MOST_STRAYS) settle(() => reject(failure('ESTRAYS', 'too many datagrams that do not match the query')))
    })
    // Connected, so that the system drops datagrams of other hosts and reports a closed port.
    socket.connect(port, host, () => {
      if (!settled) socket.send(query.message)
    })
    const forget = onceStopped(cancel, (error) => settle(() => reject(error)))
  })
}

/** The answer by TCP (RFC 7766). Rejects with EBADRESP for one that does not match or is too long, with RequestStopped, or with the socket's error. */
export function queryByTcp(
  { host, port }: ServiceHost,
  query: DnsQuery,
  { sockets, cancel }: { sockets: Sockets; cancel: Cancel },
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = sockets.open({ host, port, noDelay: true })
    let received: Buffer = Buffer.alloc(0)
    const settle = (after: () => void): void => {
      forget()
      socket.destroy()
      after()
    }
    const fail = (error: Error): void => settle(() => reject(error))
    socket.on('error', fail)
    socket.on('close', () => fail(failure('EBADRESP', 'the name server closed the connection')))
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      if (received.length < 2) return
      const length = received.readUInt16BE(0)
      if (length > LONGEST) return fail(failure('EBADRESP', `an answer of more than ${LONGEST} bytes`))
      if (received.length < length + 2) return
      const message = received.subarray(2, length + 2)
      if (query.fits(message)) settle(() => resolve(message))
      else fail(failure('EBADRESP', 'an answer to another query'))
    })
    const head = Buffer.alloc(2)
    head.writeUInt16BE(query.message.length)
    socket.write(Buffer.concat([head, query.message]))
    const forget = onceStopped(cancel, fail)
  })
}

/** A resolver error with a code of c-ares. */
export function failure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}

/** As Cancel.onCancel, but the listener never runs before this returns. */
function onceStopped(cancel: Cancel, listener: (error: Error) => void): () => void {
  const { reason } = cancel
  if (reason === null) return cancel.onCancel((each) => listener(new RequestStopped(each)))
  queueMicrotask(() => listener(new RequestStopped(reason)))
  return () => undefined
}
