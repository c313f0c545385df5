import { hostname } from 'node:os'
import { Fault, type LineSocket, type Services } from '../../../../core/sdk/index.js'
import type { EmailSettings } from '../../settings.js'
import type { Said } from '../facts.js'
import { sessionVerdict } from './classify.js'
import { readReply, tell, type Reply } from './reply.js'

const PORT = 25
const MAX_BYTES = 256 * 1024
const MAX_LINE = 2_048
const NAME = /^[A-Za-z0-9.-]+$/
/** Under which connections are left open for the next call, for so long, and what it is told of one whose server takes SMTPUTF8. */
const SESSION = 'emails'
const KEPT_MS = 10_000
const UTF8 = 'utf8'

/** Other connections, such as those left open under other names of it, took all the places of an address. */
const NO_PLACE = {
  said: { status: 'unknown', sub_status: 'timeout_exceeded' },
  notes: ['No connection to the mail server was free in time.'],
  unasked: true,
} as const

/** A connection that was greeted and can be asked about mailboxes. */
export interface Session {
  readonly lines: LineSocket
  /** The server takes local parts outside ASCII (RFC 6531). */
  readonly utf8: boolean
  /** An earlier call left it open. */
  readonly resumed: boolean
}

/** Why there is no session. */
export type NoSession =
  /** Nobody can be connected to: the host has no address, or one that is not public. */
  | { readonly unreachable: 'unknown' | 'private' }
  /** `unasked`: no connection was free in time, so that the server heard nothing. */
  | { readonly said: Said; readonly notes?: readonly string[]; readonly unasked?: true }

export interface SessionOptions {
  readonly settings: Pick<EmailSettings, 'ehlo_name'>
  /** Milliseconds that are left for the whole conversation. */
  readonly left: () => number
  /** Without TLS, after a handshake that failed. */
  readonly plain?: boolean
}

/** Connects, greets and begins TLS where it is offered. Throws no Fault of the network; what goes wrong is said. */
export async function openSession(
  host: string,
  context: Pick<Services, 'net' | 'signal'>,
  options: SessionOptions,
): Promise<Session | NoSession> {
  let lines: LineSocket
  try {
    const timeoutMs = Math.max(1, options.left())
    lines = await context.net.connect(host, PORT, { timeoutMs, maxBytes: MAX_BYTES, maxLine: MAX_LINE, session: SESSION })
  } catch (error) {
    return notConnected(error, context.signal)
  }
  if (lines.resumed !== null) return { lines, utf8: lines.resumed === UTF8, resumed: true }
  const greeting = await step(lines, options, () => readReply(lines))
  if ('said' in greeting) {
    const silent = greeting.said.sub_status === 'timeout_exceeded'
    return silent ? { said: { status: 'unknown', sub_status: 'mail_server_did_not_respond' } } : greeting
  }
  if (greeting.code !== 220) return refuse(lines, sessionVerdict(greeting, 'greeting'))
  const extensions = await greet(lines, options)
  if ('said' in extensions || options.plain === true || !offers(extensions, 'starttls')) return sessionOf(lines, extensions)
  const ready = await step(lines, options, () => tell(lines, 'STARTTLS'))
  if ('said' in ready) return ready
  if (ready.code !== 220) return sessionOf(lines, extensions)
  try {
    await lines.startTls()
  } catch (error) {
    lines.close()
    if (!Fault.is(error) || context.signal.aborted) throw error
    // Only a handshake that failed has a cause: a server that spoke too early is not asked again.
    if (error.cause === undefined) return { said: { status: 'unknown', sub_status: 'exception_occurred' } }
    return options.left() < 500
      ? { said: { status: 'unknown', sub_status: 'timeout_exceeded' } }
      : await openSession(host, context, { ...options, plain: true })
  }
  return sessionOf(lines, await greet(lines, options))
}

/** Leaves a connection on which all went well open for the next call. */
export async function leaveOpen({ lines, utf8 }: Session, options: Pick<SessionOptions, 'left'>): Promise<void> {
  const reply = await step(lines, options, () => tell(lines, 'RSET'))
  if ('said' in reply) return
  if (reply.code === 250) lines.keep(KEPT_MS, utf8 ? UTF8 : '')
  else await leave(lines)
}

/** Says goodbye without waiting for the answer. */
export async function leave(lines: LineSocket): Promise<void> {
  try {
    await lines.write('QUIT')
  } catch (error) {
    if (!Fault.is(error)) throw error
  } finally {
    lines.close()
  }
}

/** A step of the conversation: its reply, or what it says that there was none. The connection is then closed. */
export async function step(
  lines: LineSocket,
  { left }: Pick<SessionOptions, 'left'>,
  work: () => Promise<Reply | null>,
): Promise<Reply | { readonly said: Said }> {
  let sub_status = 'forcible_disconnect'
  try {
    const reply = await work()
    if (reply !== null && reply.code !== 0) return reply
    if (reply !== null) sub_status = 'exception_occurred'
  } catch (error) {
    if (!Fault.is(error)) throw error
    if (left() < 50) sub_status = 'timeout_exceeded'
    else if (!error.unavailable) sub_status = 'exception_occurred'
  }
  lines.close()
  return { said: { status: 'unknown', sub_status } }
}

async function greet(lines: LineSocket, options: SessionOptions): Promise<Reply | { readonly said: Said }> {
  const name = options.settings.ehlo_name ?? ownName()
  const extended = await step(lines, options, () => tell(lines, `EHLO ${name}`))
  if ('said' in extended || extended.code === 250) return extended
  if (extended.code !== 500 && extended.code !== 502) return await refuse(lines, sessionVerdict(extended, 'ehlo'))
  const simple = await step(lines, options, () => tell(lines, `HELO ${name}`))
  if ('said' in simple) return simple
  return simple.code === 250 ? { ...simple, text: '' } : await refuse(lines, sessionVerdict(simple, 'ehlo'))
}

function sessionOf(lines: LineSocket, extensions: Reply | { readonly said: Said }): Session | NoSession {
  return 'said' in extensions ? extensions : { lines, utf8: offers(extensions, 'smtputf8'), resumed: false }
}

async function refuse(lines: LineSocket, said: Said): Promise<{ readonly said: Said }> {
  await leave(lines)
  return { said }
}

function offers({ text }: Reply, extension: string): boolean {
  return text
    .split('\n')
    .slice(1)
    .some((line) => line.split(' ', 1)[0] === extension)
}

function notConnected(error: unknown, signal: AbortSignal): NoSession {
  if (!Fault.is(error) || signal.aborted) throw error
  if (error.kind === 'missing') return { unreachable: 'unknown' }
  if (error.kind === 'busy') return NO_PLACE
  if (error.kind === 'blocked' && !error.unavailable) return { unreachable: 'private' }
  if (error.kind !== 'blocked') throw error
  return { said: { status: 'unknown', sub_status: 'failed_smtp_connection' } }
}

function ownName(): string {
  const name = hostname()
  return NAME.test(name) ? name : 'localhost'
}
