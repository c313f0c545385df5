import { createServer as createHttp, type RequestListener } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'

/** A listening server. */
export interface Running {
  /** The address it listens on. */
  readonly host: string
  readonly port: number
  readonly url: string
  /** Connections accepted so far. */
  connections(): number
  /** Open connections. */
  open(): number
  close(): Promise<void>
}

/** Listens on loopback, port 0 by default, and counts connections. */
export async function tcpServer(onSocket: (socket: Socket) => void, host = '127.0.0.1', port = 0): Promise<Running> {
  return running(createServer(onSocket), host, port)
}

/** The same for HTTP. */
export async function httpServer(listener: RequestListener, host = '127.0.0.1', port = 0): Promise<Running> {
  return running(createHttp({ keepAliveTimeout: 60_000 }, listener), host, port)
}

/** Answers each connection with raw bytes, once the request's head is complete. */
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

/** Starts a server and counts its connections. */
export async function running(server: Server, host: string, port: number): Promise<Running> {
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
    host,
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
