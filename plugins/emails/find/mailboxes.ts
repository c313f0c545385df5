import type { Finding } from '../verify/finding.js'
import { atMailHost, failsForNow, type Talk } from '../verify/smtp/at-mail-host.js'
import { recipientVerdict, sessionVerdict } from '../verify/smtp/classify.js'
import { takeProbe, timer, unusedLocal, type MailContext } from '../verify/smtp/probes.js'
import { sendCommand } from '../verify/smtp/reply.js'
import { step, type Session } from '../verify/smtp/session.js'

/** Most hosts tried. */
const MOST_HOSTS = 3
/** Consecutive deferred mailboxes after which the rest would be deferred too. */
const MOST_PUT_OFF = 2
/** How a server closes a connection that an earlier call left open. */
const RENEWED = new Set(['forcible_disconnect', 'mail_server_temporary_error'])
/** Results after which the connection is not used any more. */
const ENDED = new Set(['forcible_disconnect', 'exception_occurred', 'timeout_exceeded', 'antispam_system', 'mail_server_did_not_respond'])

/** A mail server's answer about several mailboxes of one domain. */
export type Mailboxes = { readonly note?: string; readonly early?: boolean } &
  /** `sure` is false when the domain may be a catch-all. `refused` are the mailboxes tried before. */
  (
    | { readonly state: 'exists'; readonly local: string; readonly sure: boolean; readonly refused: readonly string[] }
    /** A catch-all domain. */
    | { readonly state: 'any' }
    /** None of them exists. */
    | { readonly state: 'none'; readonly refused: readonly string[] }
    /** `sub_status` as in emails.verify. */
    | { readonly state: 'unknown'; readonly sub_status: string; readonly refused: readonly string[] }
  )

interface MailboxQuestion {
  readonly domain: string
  readonly hosts: readonly string[]
  /** ASCII, the most likely first. */
  readonly locals: readonly string[]
  readonly left_ms: number
}

interface Conversation {
  readonly context: MailContext
  readonly left: () => number
  /** Counts a mailbox. */
  readonly count: () => Promise<void>
}

const unknown = (finding: Finding, refused: readonly string[] = []): Mailboxes => ({
  state: 'unknown',
  sub_status: reasonOf(finding),
  refused,
})

/**
 * Checks at a domain's mail servers which of several mailboxes exists, on one connection and up to RCPT; stops at the
 * first match. An unused name is checked first. Each mailbox counts toward the daily `probes_per_account_per_day`;
 * throws a `busy` Fault at the limit.
 */
export async function askMailboxes(question: MailboxQuestion, context: MailContext): Promise<Mailboxes> {
  const left = timer(question.left_ms)
  // The first is counted before any connection is opened.
  const first = await takeProbe(context)
  let counted = 0
  const count = async (): Promise<void> => void (counted++ === 0 || (await takeProbe(context)))
  const found = await atMailHost({ hosts: question.hosts, most: MOST_HOSTS, context, left }, (session) =>
    talk(question, session, { context, left, count }),
  )
  if (counted === 0) await first.giveBack()
  if ('result' in found) return found.note === undefined ? found.result : { ...found.result, note: found.note }
  return 'finding' in found ? unknown(found.finding) : { state: 'unknown', sub_status: 'no_dns_entries', refused: [] }
}

async function talk(question: MailboxQuestion, session: Session, conversation: Conversation): Promise<Talk<Mailboxes>> {
  const result = await converse(question, session, conversation)
  if (result.state !== 'unknown') return { result, then: 'open' }
  if (result.early === true) return { result, then: session.resumed ? 'renew' : 'end', early: true }
  if (session.resumed && RENEWED.has(result.sub_status) && result.refused.length === 0) return { result, then: 'renew' }
  return { result, then: ENDED.has(result.sub_status) ? 'end' : 'open' }
}

async function converse({ domain, locals }: MailboxQuestion, { lines }: Session, conversation: Conversation): Promise<Mailboxes> {
  const { context, left, count } = conversation
  const mail = await step(lines, { left }, () => sendCommand(lines, `MAIL FROM:<${context.settings.mail_from ?? ''}>`))
  if ('finding' in mail) return { ...unknown(mail.finding), early: failsForNow(mail.finding) }
  if (mail.code !== 250) {
    const finding = sessionVerdict(mail, 'mail')
    return { ...unknown(finding), early: mail.code < 500 && failsForNow(finding) }
  }
  const ask = async (local: string): Promise<'accepted' | Finding> => {
    const reply = await step(lines, { left }, () => sendCommand(lines, `RCPT TO:<${local}@${domain}>`))
    return 'finding' in reply ? reply.finding : recipientVerdict(reply)
  }
  await count()
  const unused = await ask(unusedLocal(context.requestId, domain))
  if (unused === 'accepted') return { state: 'any' }
  if (ends(unused)) return unknown(unused)
  const refused: string[] = []
  let putOff: Finding | null = null
  let inRow = 0
  for (const [place, local] of locals.entries()) {
    if (place > 0) await count()
    const found = await ask(local)
    if (found === 'accepted') return { state: 'exists', local, sure: unused.status === 'invalid', refused }
    if (found.status === 'invalid') {
      refused.push(local)
      inRow = 0
      continue
    }
    putOff ??= found
    if (ends(found)) return unknown(found, refused)
    if (++inRow === MOST_PUT_OFF) break
  }
  return putOff === null ? { state: 'none', refused } : unknown(putOff, refused)
}

function ends(finding: Finding): boolean {
  return finding.status === 'unknown' && ENDED.has(reasonOf(finding))
}

function reasonOf({ sub_status }: Finding): string {
  return sub_status ?? 'exception_occurred'
}
