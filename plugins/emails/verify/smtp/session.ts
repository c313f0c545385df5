import { hostname } from 'node:os'
import { Fault, type LineSocket, type Services } from '../../../../core/sdk/index.js'
import type { EmailSettings } from '../../settings.js'
import type { Finding } from '../finding.js'
import { sessionVerdict } from './classify.js'
import { readReply, sendCommand, type Reply } from './reply.js'

const PORT = 25
const MAX_BYTES = 256 * 1024
const MAX_LINE = 2_048
const NAME = /^[A-Za-z0-9.-]+$/
/** The name under which connections are left open for the next call, for how long, and the state of one whose server supports SMTPUTF8. */
const SESSION = 'emails'
const KEPT_MS = 10_000
const UTF8 = 'utf8'
const QUIT = 'QUIT'

/** Other connections, such as those left open under its other names, used all places of an address. */
const NO_PLACE: NoSession = {
  finding: { status: 'unknown', sub_status: 'timeout_exceeded' },
  notes: ['No connection to the mail server was free in time.'],
  notSent: true,
}

/** A connection after the greeting, ready for questions about mailboxes. */
export interface Session {
  readonly lines: LineSocket
  /** The server accepts non-ASCII local parts (RFC 6531). */
  readonly utf8: boolean
  /** An earlier call left it open. */
  readonly resumed: boolean
}

/** No connection is possible: the host has no address, or no public one. */
export type NoSession =
  /** Nobody can be connected to: the host has no address, or one that is not public. */
  | { readonly unreachable: 'unknown' | 'private' }
  /** `notSent`: no connection was free in time, so nothing was sent to the server. */
  | { readonly finding: Finding; readonly notes?: readonly string[]; readonly notSent?: true }

interface SessionOptions {
  readonly settings: Pick<EmailSettings, 'ehlo_name'>
  /** Milliseconds left for the whole conversation. */
  readonly left: () => number
  /** Without TLS, after a handshake that failed. */
  readonly plain?: boolean
}

/** Connects, greets and starts TLS if offered. Throws no network Faults: errors are in the answer. */
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
  if ('finding' in greeting) {
    const silent = greeting.finding.sub_status === 'timeout_exceeded'
    return silent ? { finding: { status: 'unknown', sub_status: 'mail_server_did_not_respond' } } : greeting
  }
  if (greeting.code !== 220) return refuse(lines, sessionVerdict(greeting, 'greeting'))
  const extensions = await greet(lines, options)
  if ('finding' in extensions || options.plain === true || !offers(extensions, 'starttls')) return sessionOf(lines, extensions)
  const ready = await step(lines, options, () => sendCommand(lines, 'STARTTLS'))
  if ('finding' in ready) return ready
  if (ready.code !== 220) return sessionOf(lines, extensions)
  try {
    await lines.startTls()
  } catch (error) {
    lines.close()
    if (!Fault.is(error) || context.signal.aborted) throw error
    // Only a failed handshake has a cause: a server that spoke too early is not tried again.
    if (error.cause === undefined) return { finding: { status: 'unknown', sub_status: 'exception_occurred' } }
    return options.left() < 500
      ? { finding: { status: 'unknown', sub_status: 'timeout_exceeded' } }
      : await openSession(host, context, { ...options, plain: true })
  }
  return sessionOf(lines, await greet(lines, options))
}

/** Leaves a successful connection open for the next call; QUIT ends it when none comes. */
export async function leaveOpen({ lines, utf8 }: Session, options: Pick<SessionOptions, 'left'>): Promise<void> {
  const reply = await step(lines, options, () => sendCommand(lines, 'RSET'))
  if ('finding' in reply) return
  if (reply.code === 250) lines.keep(KEPT_MS, { state: utf8 ? UTF8 : '', closingLine: QUIT })
  else await leave(lines)
}

/** Ends a connection with QUIT, without waiting for the reply. */
export async function leave(lines: LineSocket): Promise<void> {
  try {
    await lines.write(QUIT)
  } catch (error) {
    if (!Fault.is(error)) throw error
  } finally {
    lines.close()
  }
}

/** Ends a connection before anything was read, with QUIT after the greeting (RFC 5321 4.3.1). */
export async function leaveGreeted(lines: LineSocket): Promise<void> {
  try {
    await readReply(lines)
  } catch (error) {
    if (!Fault.is(error)) throw error
  }
  await leave(lines)
}

/** A step of the conversation: its reply, or the finding when there is none. The connection is then closed. */
export async function step(
  lines: LineSocket,
  { left }: Pick<SessionOptions, 'left'>,
  work: () => Promise<Reply | null>,
): Promise<Reply | { readonly finding: Finding }> {
  let sub_status = 'forcible_disconnect'
  try {
    const reply = await work()
    if (reply !== null && reply.code !== 0) return reply
    if (reply !== null) {
      sub_status = 'exception_occurred'
      await leave(lines)
    }
  } catch (error) {
    if (!Fault.is(error)) throw error
    if (left() < 50) sub_status = 'timeout_exceeded'
    else if (!error.unavailable) sub_status = 'exception_occurred'
  }
  lines.close()
  return { finding: { status: 'unknown', sub_status } }
}

async function greet(lines: LineSocket, options: SessionOptions): Promise<Reply | { readonly finding: Finding }> {
  const name = options.settings.ehlo_name ?? ownName()
  const extended = await step(lines, options, () => sendCommand(lines, `EHLO ${name}`))
  if ('finding' in extended || extended.code === 250) return extended
  if (extended.code !== 500 && extended.code !== 502) return await refuse(lines, sessionVerdict(extended, 'ehlo'))
  const simple = await step(lines, options, () => sendCommand(lines, `HELO ${name}`))
  if ('finding' in simple) return simple
  return simple.code === 250 ? { ...simple, text: '' } : await refuse(lines, sessionVerdict(simple, 'ehlo'))
}

function sessionOf(lines: LineSocket, extensions: Reply | { readonly finding: Finding }): Session | NoSession {
  return 'finding' in extensions ? extensions : { lines, utf8: offers(extensions, 'smtputf8'), resumed: false }
}

async function refuse(lines: LineSocket, finding: Finding): Promise<{ readonly finding: Finding }> {
  await leave(lines)
  return { finding }
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
  return { finding: { status: 'unknown', sub_status: 'failed_smtp_connection' } }
}

function ownName(): string {
  const name = hostname()
  return NAME.test(name) ? name : 'localhost'
}
