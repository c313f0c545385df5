import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram'
import { createServer, type Server, type Socket } from 'node:net'
import { AUTHENTIC_DATA, decode, encode, type Answer, type DecodedPacket, type Question } from 'dns-packet'

const TRUNCATED = 1 << 9

/** One answer to a query; a raw message when it has `raw` bytes. */
export interface DnsReply {
  readonly answers?: readonly Answer[]
  readonly rcode?: number
  /** AD: the answer was validated. */
  readonly ad?: boolean
  /** TC, only by UDP; the records then come by TCP. */
  readonly truncated?: boolean
  /** Added to the id, so that it does not match the query. */
  readonly idOff?: number
  /** A question other than that of the query. */
  readonly question?: Question
  readonly raw?: Buffer
  /** Milliseconds before it is sent. */
  readonly delayMs?: number
}

export interface DnsQuery {
  readonly name: string
  readonly type: string
  readonly by: 'udp' | 'tcp'
  readonly packet: DecodedPacket
}

export interface DnsServer {
  readonly host: string
  readonly port: number
  /** `ip:port`, the format of the setting `net.dns`. */
  readonly address: string
  readonly queries: DnsQuery[]
  close(): Promise<void>
}

/** A name server on loopback, by UDP and TCP on one port. `answer` returns the messages in order; none is silence. */
export async function dnsServer(answer: (query: DnsQuery) => readonly DnsReply[] | DnsReply): Promise<DnsServer> {
  const queries: DnsQuery[] = []
  let closed = false
  const respond = (message: Buffer, by: 'udp' | 'tcp', send: (encoded: Buffer) => void): void => {
    const packet = decode(message)
    const question = packet.questions?.[0]
    if (question === undefined) return
    const query = { name: question.name.toLowerCase(), type: question.type, by, packet }
    queries.push(query)
    for (const reply of [answer(query)].flat()) {
      const message = encoded(reply, question, query)
      if (reply.delayMs === undefined) send(message)
      else setTimeout(() => send(message), reply.delayMs).unref()
    }
  }
  const udp = createSocket('udp4')
  const open = new Set<Socket>()
  const tcp = createServer((socket) => {
    let received: Buffer = Buffer.alloc(0)
    open.add(socket)
    socket.on('error', () => undefined).on('close', () => open.delete(socket))
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      if (received.length < 2 || received.length < received.readUInt16BE(0) + 2) return
      respond(received.subarray(2), 'tcp', (reply) => {
        const head = Buffer.alloc(2)
        head.writeUInt16BE(reply.length)
        if (!socket.destroyed) socket.write(Buffer.concat([head, reply]))
      })
    })
  })
  udp.on('message', (message: Buffer, from: RemoteInfo) => {
    respond(message, 'udp', (reply) => {
      if (!closed) udp.send(reply, from.port, from.address)
    })
  })
  const port = await samePort(udp, tcp)
  return {
    host: '127.0.0.1',
    port,
    address: `127.0.0.1:${port}`,
    queries,
    close: async () => {
      closed = true
      for (const socket of open) socket.destroy()
      await Promise.all([new Promise((resolve) => udp.close(() => resolve(null))), new Promise((resolve) => tcp.close(resolve))])
    },
  }
}

/** Listens by both on one port; chooses another one if it is free for TCP only. */
async function samePort(udp: UdpSocket, tcp: Server): Promise<number> {
  for (;;) {
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve))
    const address = tcp.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    try {
      await new Promise<void>((resolve, reject) => udp.once('error', reject).bind(port, '127.0.0.1', resolve))
      return port
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
      await new Promise((resolve) => tcp.close(resolve))
    }
  }
}

function encoded({ raw, ...reply }: DnsReply, question: Question, { by, packet }: DnsQuery): Buffer {
  if (raw !== undefined) return raw
  const cut = reply.truncated === true && by === 'udp'
  return encode({
    type: 'response',
    id: ((packet.id ?? 0) + (reply.idOff ?? 0)) & 0xffff,
    flags: 0x0180 | (reply.rcode ?? 0) | (reply.ad === true ? AUTHENTIC_DATA : 0) | (cut ? TRUNCATED : 0),
    questions: [reply.question ?? question],
    answers: cut ? [] : [...(reply.answers ?? [])],
  })
}
