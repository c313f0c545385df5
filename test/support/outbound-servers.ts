import { createServer as createHttp, type RequestListener } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import { createSocket } from 'node:dgram'
import { decode, encode, type Answer, type Packet } from 'dns-packet'

export interface Running {
  readonly port: number
  readonly url: string
  /** Connections accepted so far. */
  connections(): number
  /** Connections open now. */
  open(): number
  close(): Promise<void>
}

/** Listens on loopback, port 0 unless given, and counts what comes. */
export async function tcpServer(onSocket: (socket: Socket) => void, host = '127.0.0.1', port = 0): Promise<Running> {
  return running(createServer(onSocket), host, port)
}

/** The same for HTTP. */
export async function httpServer(listener: RequestListener, host = '127.0.0.1', port = 0): Promise<Running> {
  return running(createHttp({ keepAliveTimeout: 60_000 }, listener), host, port)
}

/** Answers each connection, once the request's head is complete, with these raw bytes. */
export function rawServer(answer: (socket: Socket, head: string) => void): Promise<Running> {
  return tcpServer((socket) => {
    let head = ''
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      head += chunk.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end === -1) return
      const whole = head
      head = ''
      answer(socket, whole)
    })
  })
}

async function running(server: Server, host: string, port: number): Promise<Running> {
  const sockets = new Set<Socket>()
  let count = 0
  server.on('connection', (socket: Socket) => {
    count++
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, () => resolve()))
  const address = server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : 0
  return {
    port: bound,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    connections: () => count,
    open: () => sockets.size,
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

export interface NameServer {
  /** `ip:port`, as the setting takes it. */
  readonly address: string
  readonly questions: string[]
  close(): Promise<void>
}

/** A name server on loopback. `answer` gives the records, null for an unknown name, `fails` for SERVFAIL, undefined for silence. */
export async function nameServer(answer: (name: string, type: string) => Answer[] | null | 'fails' | undefined): Promise<NameServer> {
  const socket = createSocket('udp4')
  const questions: string[] = []
  socket.on('message', (message, from) => {
    const packet: Packet = decode(message)
    const question = packet.questions?.[0]
    if (question === undefined) return
    const name = question.name.toLowerCase()
    questions.push(`${question.type} ${name}`)
    const answers = answer(name, question.type)
    if (answers === undefined) return
    const flags = (1 << 7) | (answers === null ? RCODE_NXDOMAIN : answers === 'fails' ? RCODE_SERVFAIL : 0) | (1 << 8)
    socket.send(
      encode({ type: 'response', id: packet.id ?? 0, flags, questions: [question], answers: Array.isArray(answers) ? answers : [] }),
      from.port,
      from.address,
    )
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', () => resolve()))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

const RCODE_SERVFAIL = 2
const RCODE_NXDOMAIN = 3
