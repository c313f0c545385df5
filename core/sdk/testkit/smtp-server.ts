import type { Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import type { KeyPair } from './certificates.js'
import { eachLine, lineServer, type LineServer } from './line-servers.js'

export interface SmtpOptions {
  /** Sent at once; empty if the test sends the greeting itself with `say`. */
  readonly greeting?: string
  /** Replies by the first word of a command, in upper case. */
  readonly replies?: Readonly<Record<string, string>>
  /** Certificate for STARTTLS. */
  readonly tls?: KeyPair
  /** Sent after the reply to STARTTLS, before the handshake. */
  readonly injected?: string
}

/** A mail server that answers each command with one text. Commands after STARTTLS are recorded with `tls:`. */
export function smtpServer({ greeting, replies = {}, tls, injected }: SmtpOptions = {}): Promise<LineServer> {
  const all: Readonly<Record<string, string>> = {
    EHLO: `250-mx.example\r\n250-SIZE 1000\r\n${tls === undefined ? '' : '250-STARTTLS\r\n'}250 8BITMIME\r\n`,
    QUIT: '221 bye\r\n',
    ...replies,
  }
  return spoken((line) => all[(line.split(' ', 1)[0] ?? '').toUpperCase()] ?? '502 not known\r\n', {
    ...(greeting === undefined ? {} : { greeting }),
    ...(tls === undefined ? {} : { tls }),
    ...(injected === undefined ? {} : { injected }),
  })
}

/** The behaviour of a mailbox; any other text is the reply to RCPT, without CRLF. */
export type MailboxRule = 'exists' | 'unknown' | 'full' | 'disabled' | 'greylisted' | (string & {})

export interface MailServerOptions {
  /** Rules by address in lower case. */
  readonly mailboxes?: Readonly<Record<string, MailboxRule>>
  /** Every other address exists. */
  readonly catchAll?: boolean
  /** Each address is deferred at its first RCPT. */
  readonly greylisting?: boolean
  /** The client's address is on a blocklist: refused at the greeting or at MAIL. */
  readonly blocklisted?: 'greeting' | 'mail'
  /** Milliseconds before each reply. */
  readonly tarpitMs?: number
  /** Offers STARTTLS with this certificate. */
  readonly tls?: KeyPair
}

const RULES: Readonly<Record<string, string>> = {
  exists: '250 2.1.5 OK',
  unknown: '550 5.1.1 No such user',
  full: '452 4.2.2 The mailbox is full',
  disabled: '550 5.2.1 The mailbox is disabled',
}
const PUT_OFF = '451 4.7.1 Greylisted, please try again later'

/** A mail server with mailboxes (RFC 5321). It accepts no mail: DATA is refused and recorded, as every command. */
export function mailServer(options: MailServerOptions = {}): Promise<LineServer> {
  const { mailboxes = {}, catchAll = false, greylisting = false, blocklisted, tarpitMs, tls } = options
  const seen = new Set<string>()
  const recipient = (line: string): string => {
    const address = (/<([^>]*)>/.exec(line)?.[1] ?? '').toLowerCase()
    const rule = Object.hasOwn(mailboxes, address) ? (mailboxes[address] ?? 'unknown') : catchAll ? 'exists' : 'unknown'
    const first = !seen.has(address)
    seen.add(address)
    if (rule === 'greylisted' || (greylisting && first)) return first ? PUT_OFF : (RULES.exists ?? '')
    return RULES[rule] ?? rule
  }
  const replies: Readonly<Record<string, (line: string) => string>> = {
    EHLO: () => `250-mx.example\r\n250-PIPELINING\r\n${tls === undefined ? '' : '250-STARTTLS\r\n'}250 SIZE 1000000`,
    HELO: () => '250 mx.example',
    MAIL: () => (blocklisted === 'mail' ? '550 5.7.1 Your address is on a blocklist' : '250 2.1.0 OK'),
    RCPT: recipient,
    RSET: () => '250 2.0.0 OK',
    NOOP: () => '250 2.0.0 OK',
    VRFY: () => '252 2.5.0 Cannot VRFY',
    DATA: () => '554 5.5.1 This server takes no mail',
    QUIT: () => '221 2.0.0 Bye',
  }
  return spoken((line) => `${replies[(line.split(' ', 1)[0] ?? '').toUpperCase()]?.(line) ?? '502 5.5.2 Not known'}\r\n`, {
    greeting: blocklisted === 'greeting' ? '554 5.7.1 Your address is on a blocklist\r\n' : '220 mx.example ESMTP\r\n',
    ...(tarpitMs === undefined ? {} : { tarpitMs }),
    ...(tls === undefined ? {} : { tls }),
  })
}

interface Spoken extends Pick<SmtpOptions, 'greeting' | 'tls' | 'injected'> {
  readonly tarpitMs?: number
}

async function spoken(
  reply: (line: string) => string,
  { greeting = '220 mx.example ESMTP\r\n', tls, injected = '', tarpitMs = 0 }: Spoken,
): Promise<LineServer> {
  const send = (socket: Socket, line: string): void => {
    const text = reply(line)
    const end = /^QUIT\b/i.test(line)
    const write = (): void => {
      if (socket.destroyed) return
      if (end) socket.end(text)
      else socket.write(text)
    }
    if (tarpitMs === 0) write()
    else setTimeout(write, tarpitMs)
  }
  const server = await lineServer(
    (line, socket) => {
      if (line !== 'STARTTLS' || tls === undefined) {
        send(socket, line)
        return undefined
      }
      socket.removeAllListeners('data')
      socket.write(`220 go ahead\r\n${injected}`)
      const secured = new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(tls) })
      secured.on('error', () => undefined)
      eachLine(secured, (command) => {
        server.lines.push(`tls:${command}`)
        send(secured, command)
      })
      return undefined
    },
    { onOpen: greeting },
  )
  return server
}
