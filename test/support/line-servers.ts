import type { Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import type { KeyPair } from './certificates.js'
import { tcpServer, type Running } from './outbound-servers.js'

/** A server that speaks in lines, and what it was sent. */
export interface LineServer extends Running {
  readonly lines: string[]
  /** Sends raw text to every open connection. */
  say(text: string): void
}

/** Answers each line with raw text; null ends the connection, undefined is silence. `onOpen` is sent first. */
export async function lineServer(answer: (line: string, socket: Socket) => string | null | undefined, onOpen = ''): Promise<LineServer> {
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
  })
  return { ...server, lines, say: (text) => open.forEach((socket) => socket.write(text)) }
}

/** A WHOIS server (RFC 3912): one question, its answer, the end. */
export function whoisServer(answers: Readonly<Record<string, string>>): Promise<LineServer> {
  return lineServer((line, socket) => {
    socket.end(answers[line] ?? 'No match\r\n')
    return undefined
  })
}

export interface SmtpOptions {
  /** Sent at once; empty for a server whose greeting the test sends by hand with `say`. */
  readonly greeting?: string
  /** Replies by the first word of a command, in upper case. */
  readonly replies?: Readonly<Record<string, string>>
  /** For STARTTLS. */
  readonly tls?: KeyPair
  /** Put behind the reply to STARTTLS, before the handshake. */
  readonly injected?: string
}

/** A mail server. Commands after STARTTLS are noted with `tls:` before them. */
export function smtpServer({
  greeting = '220 mx.example ESMTP\r\n',
  replies = {},
  tls,
  injected = '',
}: SmtpOptions = {}): Promise<LineServer> {
  const all: Readonly<Record<string, string>> = {
    EHLO: `250-mx.example\r\n250-SIZE 1000\r\n${tls === undefined ? '' : '250-STARTTLS\r\n'}250 8BITMIME\r\n`,
    QUIT: '221 bye\r\n',
    ...replies,
  }
  const reply = (line: string): string => all[(line.split(' ', 1)[0] ?? '').toUpperCase()] ?? '502 not known\r\n'
  const server = lineServer((line, socket) => {
    if (line !== 'STARTTLS' || tls === undefined) return reply(line)
    socket.removeAllListeners('data')
    socket.write(`220 go ahead\r\n${injected}`)
    const secured = new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(tls) })
    secured.on('error', () => undefined)
    eachLine(secured, (command) => {
      void server.then(({ lines }) => lines.push(`tls:${command}`))
      secured.write(reply(command))
    })
    return undefined
  }, greeting)
  return server
}

function eachLine(socket: Socket, onLine: (line: string) => void): void {
  let rest = ''
  socket.on('data', (chunk: Buffer) => {
    const parts = `${rest}${chunk.toString('latin1')}`.split('\r\n')
    rest = parts.pop() ?? ''
    for (const line of parts) onLine(line)
  })
}
