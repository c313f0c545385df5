import type { Socket } from 'node:net'
import { tcpServer, type Running } from './servers.js'

/** A server of a line protocol, and the lines it received. */
export interface LineServer extends Running {
  readonly lines: string[]
  /** Sends raw text to every open connection. */
  say(text: string): void
}

export interface LineServerOptions {
  /** Sent as soon as a connection is open. */
  readonly onOpen?: string
  /** Address to listen on, default `127.0.0.1`. */
  readonly host?: string
}

/** Answers each line with raw text; null ends the connection, undefined is silence. */
export async function lineServer(
  answer: (line: string, socket: Socket) => string | null | undefined,
  { onOpen = '', host = '127.0.0.1' }: LineServerOptions = {},
): Promise<LineServer> {
  const lines: string[] = []
  const open = new Set<Socket>()
  const server = await tcpServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    if (onOpen !== '') socket.write(onOpen)
    eachLine(socket, (line) => {
      lines.push(line)
      const text = answer(line, socket)
      if (text === null) socket.end()
      else if (text !== undefined) socket.write(text)
    })
  }, host)
  return { ...server, lines, say: (text) => open.forEach((socket) => socket.write(text)) }
}

/** Calls back with each line that ends in CRLF, without the CRLF. */
export function eachLine(socket: Socket, onLine: (line: string) => void): void {
  let rest = ''
  socket.on('data', (chunk: Buffer) => {
    const parts = `${rest}${chunk.toString('latin1')}`.split('\r\n')
    rest = parts.pop() ?? ''
    for (const line of parts) onLine(line)
  })
}
