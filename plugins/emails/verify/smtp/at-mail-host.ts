import type { Finding } from '../finding.js'
import { hostQueues } from './host-queue.js'
import { portWatch } from './port-watch.js'
import type { MailContext } from './probes.js'
import { leave, leaveOpen, openSession, type NoSession, type Session } from './session.js'

/** With less left a conversation is not begun. */
const LEAST_MS = 200
/** Nobody could be connected to; nothing was asked. */
export const CLOSED = 'failed_smtp_connection'

/** Other calls held the mail server all the time. */
const NO_TURN: NoSession = {
  finding: { status: 'unknown', sub_status: 'timeout_exceeded' },
  notes: ['Other calls were asking the same mail server all the time.'],
  notAsked: true,
}
const PORT_CLOSED: NoSession = {
  finding: { status: 'unknown', sub_status: CLOSED },
  notes: ['No mail server answers this gateway: its network may close port 25.'],
}

interface HostsToAsk {
  /** The preferred one first. */
  readonly hosts: readonly string[]
  /** Hosts that are tried: only those that nobody can connect to are passed over. */
  readonly most: number
  readonly context: MailContext
  /** Milliseconds that are left for everything. */
  readonly left: () => number
}

/** What came of a conversation. */
export interface Talk<T> {
  readonly result: T
  /**
   * What becomes of the connection: `open` for the next call, `end`, or `renew`: the server had enough of it. After `renew` the conversation is held
   * once more on a new connection where this one was left open by an earlier call, because it then says nothing of the mailbox.
   */
  readonly then: 'open' | 'end' | 'renew'
}

/**
 * Holds a conversation with the first of several mail servers that can be connected to, one at a time for each server. What goes wrong before is an
 * answer (`NoSession`), not a Fault; Faults of `talk` end the connection and are passed on.
 */
export async function atMailHost<T>(
  { hosts, most, context, left }: HostsToAsk,
  talk: (session: Session) => Promise<Talk<T>>,
): Promise<NoSession | { readonly result: T }> {
  let unreachable: 'unknown' | 'private' = 'unknown'
  const [queues, port] = [await context.use(hostQueues), await context.use(portWatch)]
  if (await port.check(context, left())) return PORT_CLOSED
  for (const host of hosts.slice(0, most)) {
    const release = await queues.acquire(host, context.caller.account, () => context.wait(Math.max(0, left() - LEAST_MS)))
    try {
      const began = left()
      if (release === null || began < LEAST_MS) return NO_TURN
      const found = await atHost(host, { context, left }, talk)
      if ('finding' in found && found.finding.sub_status === CLOSED) port.failed(host, began - left())
      else if (hasAnswered(found)) port.opened()
      if (!('unreachable' in found)) return found
      if (found.unreachable === 'private') unreachable = 'private'
    } finally {
      release?.()
    }
  }
  return { unreachable }
}

/** Whether a connection was opened. */
function hasAnswered(found: NoSession | { readonly result: unknown }): boolean {
  return !('unreachable' in found) && !('notAsked' in found && found.notAsked === true)
}

async function atHost<T>(
  host: string,
  { context, left }: Pick<HostsToAsk, 'context' | 'left'>,
  talk: (session: Session) => Promise<Talk<T>>,
): Promise<NoSession | { readonly result: T }> {
  const session = await openSession(host, context, { settings: context.settings, left })
  if (!('lines' in session)) return session
  const { result, then } = await talkOn(session, talk)
  if (then === 'open') await leaveOpen(session, { left })
  else await leave(session.lines)
  return then === 'renew' && session.resumed && left() >= LEAST_MS ? await atHost(host, { context, left }, talk) : { result }
}

async function talkOn<T>(session: Session, talk: (session: Session) => Promise<Talk<T>>): Promise<Talk<T>> {
  try {
    return await talk(session)
  } catch (error) {
    await leave(session.lines)
    throw error
  }
}

/** What is answered where no conversation came about: that no host can be reached tells of the domain. */
export function findingWithout(found: NoSession): { readonly finding: Finding; readonly notes: readonly string[] } {
  if ('finding' in found) return { finding: found.finding, notes: found.notes ?? [] }
  const sub_status = found.unreachable === 'private' ? 'unroutable_ip_address' : 'no_dns_entries'
  return { finding: { status: 'invalid', sub_status }, notes: [] }
}
