import { createHash } from 'node:crypto'
import type { Services } from '../../../../core/sdk/index.js'
import { isRoleAccount } from '../../address/role.js'
import { mailProviderOf } from '../../mail-hosts/provider-of.js'
import type { EmailSettings } from '../../settings.js'
import type { Verdict, VerifyInput } from '../contract.js'
import { bare, type Said } from '../facts.js'
import { recipientVerdict, sessionVerdict } from './classify.js'
import { tell } from './reply.js'
import { leave, leaveOpen, openSession, step, type NoSession, type Session } from './session.js'
import { portWatch } from './port-watch.js'
import { mailTurns } from './turns.js'

/** Hosts that are tried: only those that nobody can connect to are passed over. */
const MOST_HOSTS = 5
/** With less left a conversation is not begun. */
const LEAST_MS = 200

/** How a server ends a connection. */
const TIRED = new Set(['forcible_disconnect', 'mail_server_temporary_error'])
/** After these the server is not asked anything more on the same connection. */
const ENDED = new Set(['forcible_disconnect', 'exception_occurred', 'timeout_exceeded', 'antispam_system', 'mail_server_temporary_error'])

export type Context = Pick<Services, 'net' | 'signal' | 'use' | 'wait' | 'caps' | 'caller' | 'requestId'> & {
  readonly settings: Readonly<EmailSettings>
}
type Asked = VerifyInput

/** Nobody was asked, since others were asking all the time. */
const UNASKED = {
  said: { status: 'unknown', sub_status: 'timeout_exceeded' },
  notes: ['Other calls were asking the same mail server all the time.'],
  unasked: true,
} as const

/**
 * Asks the mail servers of a domain about one mailbox, up to RCPT and never further, within `left_ms`. Each question counts to the day's
 * `probes_per_key_per_day`; throws a `busy` Fault when that is used up. Whatever else goes wrong is in the verdict.
 */
export async function checkMailbox(input: Asked, context: Context): Promise<Verdict> {
  const began = performance.now()
  const left = (): number => input.left_ms - (performance.now() - began)
  const { probes_per_key_per_day: most } = context.settings
  const taken = await context.caps.take('mailbox_probes', { most, per: 'day', setting: 'probes_per_key_per_day' })
  const found = await fromHosts(input, context, left)
  if ('unreachable' in found || 'unasked' in found || found.said.sub_status === 'failed_smtp_connection') await taken.giveBack()
  const said: Said =
    'said' in found
      ? found.said
      : { status: 'invalid', sub_status: found.unreachable === 'private' ? 'unroutable_ip_address' : 'no_dns_entries' }
  const notes = 'said' in found ? (found.notes ?? []) : []
  const verdict = bare(said, [...notes, ...habitNotes(input.hosts, said)])
  return 'unasked' in found ? { ...verdict, unasked: true } : verdict
}

type Found = NoSession

async function fromHosts(input: Asked, context: Context, left: () => number): Promise<Found> {
  let unreachable: 'unknown' | 'private' = 'unknown'
  const [turns, port] = [await context.use(mailTurns), await context.use(portWatch)]
  if (await port.check(context, left()))
    return {
      said: { status: 'unknown', sub_status: 'failed_smtp_connection' },
      notes: ['No mail server answers this gateway: its network may close port 25.'],
    }
  for (const host of input.hosts.slice(0, MOST_HOSTS)) {
    const release = await turns.take(host, context.caller.account, () => context.wait(Math.max(0, left() - LEAST_MS)))
    if (release === null || left() < LEAST_MS) {
      release?.()
      return UNASKED
    }
    const began = left()
    try {
      const found = await fromHost(host, input, { context, left })
      const closed = 'said' in found && found.said.sub_status === 'failed_smtp_connection'
      if (closed) port.failed(host, began - left())
      else if ('said' in found && found.unasked !== true) port.opened()
      if (!('unreachable' in found)) return found
      if (found.unreachable === 'private') unreachable = 'private'
    } finally {
      release()
    }
  }
  return { unreachable }
}

interface Conversation {
  readonly context: Context
  readonly left: () => number
}

async function fromHost(host: string, input: Asked, { context, left }: Conversation): Promise<Found> {
  const { settings } = context
  const session = await openSession(host, context, { settings, left })
  if (!('lines' in session)) return session
  const found = await askAbout(input, session, { context, left })
  const ended = 'said' in found && ENDED.has(found.said.sub_status ?? '')
  // A server that had enough of a connection that was left open says nothing of the mailbox: the next one is new.
  const tired = 'said' in found && TIRED.has(found.said.sub_status ?? '')
  if (session.resumed && tired && left() >= LEAST_MS) {
    await leave(session.lines)
    return await fromHost(host, input, { context, left })
  }
  if (ended) await leave(session.lines)
  else await leaveOpen(session, { left })
  return found
}

async function askAbout(input: Asked, { lines, utf8 }: Session, { context, left }: Conversation): Promise<Found> {
  if (input.international && !utf8)
    return {
      said: { status: 'invalid', sub_status: 'does_not_accept_mail' },
      notes: ['The mail server takes no local parts outside ASCII (SMTPUTF8).'],
    }
  const mail = await step(lines, { left }, () =>
    tell(lines, `MAIL FROM:<${context.settings.mail_from ?? ''}>${input.international ? ' SMTPUTF8' : ''}`),
  )
  if ('said' in mail) return mail
  if (mail.code !== 250) return { said: sessionVerdict(mail, 'mail') }
  const reply = await step(lines, { left }, () => tell(lines, `RCPT TO:<${input.address}>`))
  if ('said' in reply) return reply
  const verdict = recipientVerdict(reply)
  if (verdict !== 'accepted') return { said: verdict }
  const other = await step(lines, { left }, () => tell(lines, `RCPT TO:<${nobody(input, context.requestId)}@${input.domain}>`))
  return { ...acceptedVerdict(input.local, other) }
}

/** What it means that the mailbox was accepted, by what is said of one that nobody has. */
function acceptedVerdict(local: string, other: Awaited<ReturnType<typeof step>>): { said: Said; notes: readonly string[] } {
  const role = isRoleAccount(local)
  const verdict = 'said' in other ? other.said : recipientVerdict(other)
  if (verdict === 'accepted')
    return {
      said: role ? { status: 'do_not_mail', sub_status: 'role_based_catch_all' } : { status: 'catch-all', sub_status: null },
      notes: [],
    }
  const said: Said = role ? { status: 'do_not_mail', sub_status: 'role_based' } : { status: 'valid', sub_status: null }
  const told = verdict.status === 'invalid'
  return { said, notes: told ? [] : ['Whether the domain takes mail for any name could not be told.'] }
}

/** A local part that nobody has, another one for each call. */
function nobody({ address }: Asked, requestId: string): string {
  return `x${createHash('sha256').update(`${requestId} ${address}`).digest('hex').slice(0, 19)}`
}

/** Says what the answer of servers is worth that answer the same to everybody. */
function habitNotes(hosts: readonly string[], { status, sub_status }: Said): string[] {
  const provider = mailProviderOf(hosts)
  if (provider?.habit === 'accepts' && (status === 'valid' || status === 'catch-all'))
    return [`${provider.label} often accepts every recipient at first and refuses the mail later, so that the mailbox may not exist.`]
  if (provider?.habit === 'defers' && status === 'unknown' && sub_status !== 'failed_smtp_connection')
    return [`${provider.label} puts off senders that it does not know, whoever the recipient is.`]
  return []
}
