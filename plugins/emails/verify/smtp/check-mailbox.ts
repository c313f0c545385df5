import { isRoleAccount } from '../../address/role.js'
import { mailProviderOf } from '../../mail-hosts/provider-of.js'
import type { Verdict, VerifyInput } from '../contract.js'
import { verdictOf, type Finding } from '../finding.js'
import { atMailHost, CLOSED, failsForNow, findingWithout, type Talk } from './at-mail-host.js'
import { recipientVerdict, sessionVerdict } from './classify.js'
import { takeProbe, timer, unusedLocal, type MailContext } from './probes.js'
import { sendCommand } from './reply.js'
import { step, type Session } from './session.js'

/** Most hosts tried. */
const MOST_HOSTS = 5

/** How a server closes a connection. */
const RENEWED = new Set(['forcible_disconnect', 'mail_server_temporary_error'])
/** Results after which the connection is not used any more. */
const ENDED = new Set(['exception_occurred', 'timeout_exceeded', 'antispam_system'])

interface Found {
  readonly finding: Finding
  readonly notes?: readonly string[]
  /** No mailbox was named. */
  readonly early?: boolean
}

/**
 * Checks one mailbox at a domain's mail servers, up to RCPT and never further, within `left_ms`. Each question counts
 * toward the daily `probes_per_account_per_day`; throws a `busy` Fault at the limit. Other errors are part of the
 * verdict.
 */
export async function checkMailbox(input: VerifyInput, context: MailContext): Promise<Verdict> {
  const left = timer(input.left_ms)
  const taken = await takeProbe(context)
  const found = await atMailHost<Found>({ hosts: input.hosts, most: MOST_HOSTS, context, left }, (session) =>
    talk(input, session, { context, left }),
  )
  const notSent = 'notSent' in found && found.notSent === true
  if ('unreachable' in found || notSent || ('finding' in found && found.finding.sub_status === CLOSED)) await taken.giveBack()
  const { finding, notes = [] } = 'result' in found ? found.result : findingWithout(found)
  const by = 'note' in found && found.note !== undefined ? [found.note] : []
  const verdict = verdictOf(finding, [...notes, ...by, ...habitNotes(input.hosts, finding)])
  return notSent ? { ...verdict, not_asked: true } : verdict
}

interface Conversation {
  readonly context: MailContext
  readonly left: () => number
}

async function talk(input: VerifyInput, session: Session, conversation: Conversation): Promise<Talk<Found>> {
  const result = await checkRecipient(input, session, conversation)
  const why = result.finding.sub_status ?? ''
  const then = RENEWED.has(why) ? 'renew' : ENDED.has(why) ? 'end' : 'open'
  return { result, then, early: result.early === true && failsForNow(result.finding) }
}

async function checkRecipient(input: VerifyInput, { lines, utf8 }: Session, { context, left }: Conversation): Promise<Found> {
  if (input.international && !utf8)
    return {
      finding: { status: 'invalid', sub_status: 'does_not_accept_mail' },
      notes: ['The mail server takes no local parts outside ASCII (SMTPUTF8).'],
    }
  const mail = await step(lines, { left }, () =>
    sendCommand(lines, `MAIL FROM:<${context.settings.mail_from ?? ''}>${input.international ? ' SMTPUTF8' : ''}`),
  )
  if ('finding' in mail) return { ...mail, early: true }
  if (mail.code !== 250) return { finding: sessionVerdict(mail, 'mail'), early: mail.code < 500 }
  const reply = await step(lines, { left }, () => sendCommand(lines, `RCPT TO:<${input.address}>`))
  if ('finding' in reply) return reply
  const verdict = recipientVerdict(reply)
  if (verdict !== 'accepted') return { finding: verdict }
  const unused = `${unusedLocal(context.requestId, input.address)}@${input.domain}`
  return acceptedVerdict(input.local, await step(lines, { left }, () => sendCommand(lines, `RCPT TO:<${unused}>`)))
}

/** The meaning of an accepted mailbox, by the reply for an unused one. */
function acceptedVerdict(local: string, unused: Awaited<ReturnType<typeof step>>): Found {
  const role = isRoleAccount(local)
  const verdict = 'finding' in unused ? unused.finding : recipientVerdict(unused)
  if (verdict === 'accepted')
    return { finding: role ? { status: 'do_not_mail', sub_status: 'role_based_catch_all' } : { status: 'catch-all', sub_status: null } }
  return {
    finding: role ? { status: 'do_not_mail', sub_status: 'role_based' } : { status: 'valid', sub_status: null },
    notes: verdict.status === 'invalid' ? [] : ['It is unknown whether the domain accepts mail for any name.'],
  }
}

/** Notes on servers that give every recipient the same reply. */
function habitNotes(hosts: readonly string[], { status, sub_status }: Finding): string[] {
  const provider = mailProviderOf(hosts)
  if (provider?.habit === 'accepts' && (status === 'valid' || status === 'catch-all'))
    return [`${provider.label} often accepts every recipient at first and refuses the mail later, so that the mailbox may not exist.`]
  if (provider?.habit === 'defers' && status === 'unknown' && sub_status !== CLOSED)
    return [`${provider.label} puts off senders that it does not know, whoever the recipient is.`]
  return []
}
