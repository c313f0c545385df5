import { createSocket } from 'node:dgram'
import { isIP } from 'node:net'
import type { Cancel } from '../runtime/cancel.js'
import type { DnsQuestion } from './dns-message.js'
import { Stopped } from './exchange.js'
import type { ServiceHost } from './service-host.js'
import type { Sockets } from './sockets.js'

/** So many datagrams that are no answer: somebody guesses, and TCP is asked instead. */
const MOST_STRAYS = 16
/** A longer answer is refused: it is read on the event loop. */
const LONGEST = 16_384

/** The answer by UDP, from a port of its own that the system chose. Rejects with ESTRAYS after too many datagrams that are none, with Stopped, or the socket's error. */
export function askByUdp({ host, port }: ServiceHost, question: DnsQuestion, cancel: Cancel): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(isIP(host) === 6 ? 'udp6' : 'udp4')
    let strays = 0
    let settled = false
    // Its listeners stay: a socket that is still being bound closes itself by one of its own.
    const settle = (after: () => void): void => {
      if (settled) return
      settled = true
      forget()
      socket.close()
      after()
    }
    socket.on('error', (error) => settle(() => reject(error)))
    socket.on('message', (message) => {
      if (question.fits(message)) settle(() => resolve(message))
      else if (++strays >= MOST_STRAYS) settle(() => reject(failure('ESTRAYS', 'too many datagrams that are no answer')))
    })
    // Connected, so that the system drops what other hosts send and reports a closed port.
    socket.connect(port, host, () => {
      if (!settled) socket.send(question.message)
    })
    const forget = onceStopped(cancel, (error) => settle(() => reject(error)))
  })
}

/** The answer by TCP (RFC 7766). Rejects with EBADRESP for one that does not fit or is too long, with Stopped, or the socket's error. */
export function askByTcp(
  { host, port }: ServiceHost,
  question: DnsQuestion,
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
      if (question.fits(message)) settle(() => resolve(message))
      else fail(failure('EBADRESP', 'an answer to another question'))
    })
    const head = Buffer.alloc(2)
    head.writeUInt16BE(question.message.length)
    socket.write(Buffer.concat([head, question.message]))
    const forget = onceStopped(cancel, fail)
  })
}

/** An error by which the resolver tells what went wrong, in c-ares' words. */
export function failure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}

/** As Cancel.onCancel, but never before it has returned. */
function onceStopped(cancel: Cancel, listener: (error: Error) => void): () => void {
  const { reason } = cancel
  if (reason === null) return cancel.onCancel((each) => listener(new Stopped(each)))
  queueMicrotask(() => listener(new Stopped(reason)))
  return () => undefined
}
