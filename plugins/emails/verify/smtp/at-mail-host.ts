import type { Finding } from '../finding.js'
import { hostQueues } from './host-queue.js'
import { portWatch } from './port-watch.js'
import type { MailContext } from './probes.js'
import { leave, leaveOpen, openSession, type NoSession, type Session } from './session.js'

/** With less time left a conversation is not started. */
const LEAST_MS = 200
/** No connection could be opened; nothing was asked. */
export const CLOSED = 'failed_smtp_connection'

/** Other calls used the mail server the whole time. */
const NO_TURN: NoSession = {
  finding: { status: 'unknown', sub_status: 'timeout_exceeded' },
  notes: ['Other calls used the same mail server all the time.'],
  notSent: true,
}
const PORT_CLOSED: NoSession = {
  finding: { status: 'unknown', sub_status: CLOSED },
  notes: ['No mail server answers this gateway: its network may close port 25.'],
}

interface HostChoice {
  /** The preferred one first. */
  readonly hosts: readonly string[]
  /** Most hosts tried. */
  readonly most: number
  readonly context: MailContext
  /** Milliseconds left for everything. */
  readonly left: () => number
}

/** Result of a conversation. */
export interface Talk<T> {
  readonly result: T
  /**
   * What happens to the connection: `open` for the next call, `end`, or `renew`: the server refuses to continue.
   * After `renew` the conversation is repeated on a new connection if this one was left open by an earlier call,
   * because the refusal then proves nothing about the mailbox.
   */
  readonly then: 'open' | 'end' | 'renew'
  /** The server ended or deferred it before a mailbox was named, so the next host is tried (RFC 5321 5.1). */
  readonly early?: boolean
}

/** Temporary failures of a host: closed, silent, disconnected, or a deferring reply (4yz). */
const FOR_NOW: ReadonlySet<string | null> = new Set([
  CLOSED,
  'mail_server_did_not_respond',
  'forcible_disconnect',
  'mail_server_temporary_error',
  'greylisted',
  'timeout_exceeded',
])
/** Share of the remaining time for a host that has alternatives, until its greeting is over. */
const SHARE = 0.5

/** Whether an error before a mailbox was named is a temporary failure of this host. */
export function failsForNow({ sub_status }: Finding): boolean {
  return FOR_NOW.has(sub_status)
}

/** The answer of the first reachable host; `note` names the host when it is not the preferred one. */
type Answered<T> = { readonly result: T; readonly note?: string; readonly early?: boolean }

/**
 * Holds a conversation with the first available of several mail servers, one at a time for each server: a host that
 * is unreachable, defers or disconnects before a mailbox is named is skipped. If all are, the answer is that of the
 * first. Errors before that are an answer (`NoSession`), not a Fault; Faults of `talk` end the connection and are
 * passed on.
 */
export async function atMailHost<T>(
  { hosts, most, context, left }: HostChoice,
  talk: (session: Session) => Promise<Talk<T>>,
): Promise<NoSession | Answered<T>> {
  let unreachable: 'unknown' | 'private' = 'unknown'
  const [queues, port] = [await context.use(hostQueues), await context.use(portWatch)]
  if (await port.check(context, left())) return PORT_CLOSED
  let failed: NoSession | Answered<T> | null = null
  const tried = hosts.slice(0, most)
  for (const [place, host] of tried.entries()) {
    const release = await queues.acquire(host, context.caller.account, () => context.wait(Math.max(0, left() - LEAST_MS)))
    try {
      const began = left()
      if (release === null || began < LEAST_MS) return failed ?? NO_TURN
      const found = await atHost(host, { context, left, more: place < tried.length - 1 }, talk)
      if ('finding' in found && found.finding.sub_status === CLOSED) port.failed(host, began - left())
      else if (hasAnswered(found)) port.opened()
      if ('unreachable' in found) {
        if (found.unreachable === 'private') unreachable = 'private'
        continue
      }
      const passedOver = 'finding' in found ? found.notSent !== true && failsForNow(found.finding) : found.early === true
      if (!passedOver) return failed !== null && 'result' in found ? { ...found, note: noteOf(host, tried) } : found
      failed ??= found
    } finally {
      release?.()
    }
  }
  return failed ?? { unreachable }
}

function noteOf(host: string, tried: readonly string[]): string {
  return `The answer is from the mail host ${host}: ${tried.slice(0, tried.indexOf(host)).join(' and ')} could not be asked.`
}

/** Whether a connection was opened. */
function hasAnswered(found: NoSession | { readonly result: unknown }): boolean {
  return !('unreachable' in found) && !('notSent' in found && found.notSent === true)
}

async function atHost<T>(
  host: string,
  { context, left, more }: Pick<HostChoice, 'context' | 'left'> & { readonly more: boolean },
  talk: (session: Session) => Promise<Talk<T>>,
): Promise<NoSession | Answered<T>> {
  const session = await openedInTime(host, { context, left, more })
  if (!('lines' in session)) return session
  const { result, then, early = false } = await talkOn(session, talk)
  if (then === 'open') await leaveOpen(session, { left })
  else await leave(session.lines)
  return then === 'renew' && session.resumed && left() >= LEAST_MS ? await atHost(host, { context, left, more }, talk) : { result, early }
}

/** Opens a session; a host that has alternatives does not get all the remaining time. */
async function openedInTime(
  host: string,
  { context, left, more }: Pick<HostChoice, 'context' | 'left'> & { readonly more: boolean },
): Promise<Session | NoSession> {
  const opening = openSession(host, context, { settings: context.settings, left })
  if (!more) return await opening
  const session = await Promise.race([opening, context.wait(left() * SHARE).then(() => null)])
  if (session !== null) return session
  // The session is not needed any more, so its failure does not matter.
  opening.then(
    async (late) => void ('lines' in late && (await leave(late.lines))),
    () => undefined,
  )
  return { finding: { status: 'unknown', sub_status: 'mail_server_did_not_respond' } }
}

async function talkOn<T>(session: Session, talk: (session: Session) => Promise<Talk<T>>): Promise<Talk<T>> {
  try {
    return await talk(session)
  } catch (error) {
    await leave(session.lines)
    throw error
  }
}

/** The finding without a conversation: when no host can be reached, the domain itself is at fault. */
export function findingWithout(found: NoSession): { readonly finding: Finding; readonly notes: readonly string[] } {
  if ('finding' in found) return { finding: found.finding, notes: found.notes ?? [] }
  const sub_status = found.unreachable === 'private' ? 'unroutable_ip_address' : 'no_dns_entries'
  return { finding: { status: 'invalid', sub_status }, notes: [] }
}
