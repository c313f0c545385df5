import { createHash } from 'node:crypto'
import type { Services } from '../../../core/sdk/index.js'
import type { EmailSettings } from '../settings.js'
import type { Said } from '../verify/facts.js'
import { recipientVerdict, sessionVerdict } from '../verify/smtp/classify.js'
import { portWatch } from '../verify/smtp/port-watch.js'
import { tell } from '../verify/smtp/reply.js'
import { leave, leaveOpen, openSession, step, type Session } from '../verify/smtp/session.js'
import { mailTurns } from '../verify/smtp/turns.js'

/** Hosts that are tried: only those that nobody can connect to are passed over. */
const MOST_HOSTS = 3
/** With less left a conversation is not begun. */
const LEAST_MS = 200
/** So many mailboxes in a row that are put off: the rest would be as well. */
const MOST_PUT_OFF = 2
/** How a server ends a connection. */
const TIRED = new Set(['forcible_disconnect', 'mail_server_temporary_error'])
/** Nobody could be connected to; nothing was asked. */
const CLOSED = 'failed_smtp_connection'
/** After these the server is not asked anything more on the same connection. */
const ENDED = new Set(['forcible_disconnect', 'exception_occurred', 'timeout_exceeded', 'antispam_system', 'mail_server_did_not_respond'])

/** What a mail server says of several mailboxes of one domain. */
export type Mailboxes =
  /** `sure` is false when it could not be told whether the domain takes mail for any name. `refused` are those asked before. */
  | { readonly state: 'exists'; readonly local: string; readonly sure: boolean; readonly refused: readonly string[] }
  /** The domain takes mail for any name. */
  | { readonly state: 'any' }
  /** Nobody has any of them. */
  | { readonly state: 'none'; readonly refused: readonly string[] }
  /** `sub_status` in the words of emails.verify. */
  | { readonly state: 'unknown'; readonly sub_status: string; readonly refused: readonly string[] }

export interface MailboxQuestion {
  readonly domain: string
  readonly hosts: readonly string[]
  /** ASCII, the likeliest first. */
  readonly locals: readonly string[]
  readonly left_ms: number
}

type Context = Pick<Services, 'net' | 'signal' | 'use' | 'wait' | 'caps' | 'requestId' | 'caller'> & {
  readonly settings: Readonly<EmailSettings>
}
interface Conversation {
  readonly context: Context
  readonly left: () => number
  /** The first question is counted before anybody is connected to. */
  readonly count: () => Promise<void>
}

const unknown = (sub_status: string, refused: readonly string[] = []): Mailboxes => ({ state: 'unknown', sub_status, refused })

/**
 * Asks the mail servers of a domain which of several mailboxes exists, on one connection and up to RCPT; the first that does ends it. A name that
 * nobody has is asked for before. Each mailbox counts to the day's `probes_per_key_per_day`; throws a `busy` Fault when that is used up.
 */
export async function askMailboxes(question: MailboxQuestion, context: Context): Promise<Mailboxes> {
  const began = performance.now()
  const left = (): number => question.left_ms - (performance.now() - began)
  const { probes_per_key_per_day: most } = context.settings
  const take = () => context.caps.take('mailbox_probes', { most, per: 'day', setting: 'probes_per_key_per_day' })
  const first = await take()
  let counted = 0
  const count = async (): Promise<void> => void (counted++ === 0 || (await take()))
  const found = await fromHosts(question, { context, left, count })
  if (counted === 0) await first.giveBack()
  return found
}

async function fromHosts(question: MailboxQuestion, conversation: Conversation): Promise<Mailboxes> {
  const { context, left } = conversation
  const [turns, port] = [await context.use(mailTurns), await context.use(portWatch)]
  if (port.closed) return unknown(CLOSED)
  for (const host of question.hosts.slice(0, MOST_HOSTS)) {
    const release = await turns.take(host, context.caller.account, () => context.wait(Math.max(0, left() - LEAST_MS)))
    const began = left()
    try {
      if (release === null || began < LEAST_MS) return unknown('timeout_exceeded')
      const found = await fromHost(host, question, conversation)
      if (found === null) continue
      if (found.state === 'unknown' && found.sub_status === CLOSED) port.failed(host, began - left())
      else port.opened()
      return found
    } finally {
      release?.()
    }
  }
  return unknown('no_dns_entries')
}

/** Null when nobody can be connected to. */
async function fromHost(host: string, question: MailboxQuestion, conversation: Conversation): Promise<Mailboxes | null> {
  const { context, left } = conversation
  const session = await openSession(host, context, { settings: context.settings, left })
  if ('unreachable' in session) return null
  if ('said' in session) return unknown(session.said.sub_status ?? 'exception_occurred')
  let found: Mailboxes
  try {
    found = await asked(question, session, conversation)
  } catch (error) {
    await leave(session.lines)
    throw error
  }
  const ended = found.state === 'unknown' && ENDED.has(found.sub_status)
  if (!ended) await leaveOpen(session, { left })
  else await leave(session.lines)
  // A server that had enough of a connection that was left open says nothing of the mailboxes: the next one is new.
  const tired = found.state === 'unknown' && TIRED.has(found.sub_status) && found.refused.length === 0
  return session.resumed && tired && left() >= LEAST_MS ? await fromHost(host, question, conversation) : found
}

async function asked({ domain, locals }: MailboxQuestion, { lines }: Session, conversation: Conversation): Promise<Mailboxes> {
  const { context, left, count } = conversation
  const mail = await step(lines, { left }, () => tell(lines, `MAIL FROM:<${context.settings.mail_from ?? ''}>`))
  if ('said' in mail) return unknown(mail.said.sub_status ?? 'exception_occurred')
  if (mail.code !== 250) return unknown(sessionVerdict(mail, 'mail').sub_status ?? 'exception_occurred')
  const ask = async (local: string): Promise<'accepted' | Said> => {
    const reply = await step(lines, { left }, () => tell(lines, `RCPT TO:<${local}@${domain}>`))
    return 'said' in reply ? reply.said : recipientVerdict(reply)
  }
  await count()
  const nobody = await ask(nobodyAt(domain, context.requestId))
  if (nobody === 'accepted') return { state: 'any' }
  if (ends(nobody)) return unknown(nobody.sub_status ?? 'exception_occurred')
  const refused: string[] = []
  let putOff: string | null = null
  let inRow = 0
  for (const [place, local] of locals.entries()) {
    if (place > 0) await count()
    const said = await ask(local)
    if (said === 'accepted') return { state: 'exists', local, sure: nobody.status === 'invalid', refused }
    if (said.status === 'invalid') {
      refused.push(local)
      inRow = 0
      continue
    }
    putOff ??= said.sub_status ?? 'exception_occurred'
    if (ends(said)) return unknown(said.sub_status ?? 'exception_occurred', refused)
    if (++inRow === MOST_PUT_OFF) break
  }
  return putOff === null ? { state: 'none', refused } : unknown(putOff, refused)
}

function ends({ status, sub_status }: Said): boolean {
  return status === 'unknown' && ENDED.has(sub_status ?? '')
}

/** A local part that nobody has, another one for each call. */
function nobodyAt(domain: string, requestId: string): string {
  return `x${createHash('sha256').update(`${requestId} ${domain}`).digest('hex').slice(0, 19)}`
}
