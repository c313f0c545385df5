import type { Said } from '../facts.js'
import type { Reply } from './reply.js'

/** What refuses us and not the mailbox: lists, policies, our name or sender. */
const BLOCKED =
  /\b(?:block(?:ed|ing)?[ -]?list|black[ -]?list|denylist|dnsbl|rbl|rhsbl|spamhaus|zen\.|sbl|xbl|pbl|css|spamcop|sorbs|barracudacentral|barracuda reputation|uceprotect|senderbase|senderscore|invaluement|mailspike|surbl|uribl|psbl|abuseat|cbl|proofpoint|cloudmark|trustedsource|reputation|banned|blocked|blocking|spam|bulk mail|abuse|policy reasons|local policy|policy rejection|prohibit(?:ed|ion)|administratively|poor reputation|listed (?:by|in|at|on)|is listed|dynamic ip|dial-?up|residential|reverse dns|rdns|ptr record|no ptr|helo|ehlo|sender (?:address )?(?:rejected|denied|verify failed|not allowed)|spf|dmarc|dkim|client host rejected|your (?:ip|host|server|network)|access (?:is |was )?denied|connection refused|not authori[sz]ed|unauthori[sz]ed|authentication (?:is )?required|must (?:authenticate|issue a starttls)|too many (?:errors|connections|invalid|unknown))\b/
const UNKNOWN_MAILBOX =
  /\b(?:user|mailbox|recipient|account|address|inbox|alias|addressee|person|customer|destination)(?: [\w<>@.'"-]+)? (?:is |was |does |has )?(?:unknown|not (?:found|exist|known|valid|here|listed|local|available|active|present|recognized)|doesn'?t exist|invalid|no longer|disabled|inactive|suspended|closed|deactivated|unavailable|been (?:disabled|closed|suspended|deactivated))|(?:unknown|invalid|no such|non-?existent|nonexistent|inactive|disabled|bad|undeliverable) (?:\w+ )?(?:user|mailbox|recipient|account|address|inbox|destination|person|local part|virtual)|no (?:mailbox|such|valid recipient|user)|not (?:a )?(?:known|valid) (?:user|mailbox|recipient|address)|user doesn'?t|does not exist|doesn'?t have an? .{0,40}account|recipient address rejected|recipient not (?:ok|accepted)|unrouteable address|unroutable address/
const FULL =
  /\b(?:quota|mailbox(?: is)? full|is full|over ?quota|inbox (?:is )?full|storage (?:limit|exceeded)|insufficient (?:mailbox|disk)|out of (?:storage|space))\b/
const PUT_OFF =
  /gr[ea]y-?list|gray-?list|postgrey|try again|retry (?:later|in)|please (?:retry|wait)|come back later|unverified address|verification in progress|temporarily (?:deferred|rejected|delayed)|deferred|not yet (?:authori[sz]ed|accepted)|throttl|rate limit/
const RELAY =
  /\brelay(?:ing)?\b|not (?:a )?(?:local|hosted|handled)(?: domain| here)?|rcpthosts|domain (?:not|isn'?t) (?:found|hosted|local|handled|here|served)|we do not (?:accept|handle) mail for|not our (?:customer|domain)|no mail for/

const said = (status: Said['status'], sub_status: string | null): Said => ({ status, sub_status })
const UNSURE = (sub_status: string): Said => said('unknown', sub_status)

/** What the reply to RCPT says of the mailbox; `accepted` for one that is taken. */
export function recipientVerdict(reply: Reply): 'accepted' | Said {
  const { code, enhanced, text } = reply
  if (code >= 250 && code < 260) return 'accepted'
  if (code >= 500) return refused(reply)
  if (code < 400) return UNSURE('exception_occurred')
  if (enhanced === '4.2.2' || FULL.test(text)) return said('invalid', 'mailbox_quota_exceeded')
  return putOff(reply)
}

/** A refusal for good (5yz). */
function refused({ code, enhanced, text }: Reply): Said {
  if (code === 521 || code === 556) return said('invalid', 'does_not_accept_mail')
  if (enhanced === '5.2.2' || code === 552 || FULL.test(text)) return said('invalid', 'mailbox_quota_exceeded')
  if (enhanced === '5.2.1') return said('invalid', 'mailbox_not_found')
  // 5.1.7 and 5.1.8 are about the sender.
  if (enhanced === '5.1.7' || enhanced === '5.1.8') return UNSURE('antispam_system')
  // RFC 3463: 5.1.0 to 5.1.6 and 5.1.10 are about the recipient's address, 5.2.1 above about a mailbox that is disabled.
  if (enhanced !== null && /^5\.(?:1\.(?:[0-46]|10)|2\.[01])$/.test(enhanced)) return mailboxNotFound(enhanced, text)
  // Exchange Online names with 5.4.1 a recipient that its directory does not have.
  if (enhanced === '5.4.1' && /recipient address(?:es)? rejected/.test(text)) return said('invalid', 'mailbox_not_found')
  if (enhanced?.startsWith('5.7.') === true) return policy(text)
  if (isRelay(text) && !UNKNOWN_MAILBOX.test(text)) return said('invalid', 'does_not_accept_mail')
  if (BLOCKED.test(text)) return isOfMailbox(text) ? said('invalid', 'mailbox_not_found') : UNSURE('antispam_system')
  if (UNKNOWN_MAILBOX.test(text)) return said('invalid', 'mailbox_not_found')
  if (code === 550 || code === 551 || code === 553) return said('invalid', 'mailbox_not_found')
  return UNSURE(code === 554 || code === 530 || code === 535 ? 'antispam_system' : 'exception_occurred')
}

/** A list that is named outweighs a status about the address: some servers answer 5.1.x to everybody whom they block. */
function mailboxNotFound(enhanced: string, text: string): Said {
  if (BLOCKED.test(text) && !isOfMailbox(text)) return UNSURE('antispam_system')
  return enhanced === '5.1.2' && isRelay(text) ? said('invalid', 'does_not_accept_mail') : said('invalid', 'mailbox_not_found')
}

/** 5.7.x is about permission, but some servers use it for all refusals. */
function policy(text: string): Said {
  if (isOfMailbox(text)) return said('invalid', 'mailbox_not_found')
  return isRelay(text) ? said('invalid', 'does_not_accept_mail') : UNSURE('antispam_system')
}

/** The text speaks of the mailbox and of no list, policy or host of ours. */
function isOfMailbox(text: string): boolean {
  return UNKNOWN_MAILBOX.test(text) && !BLOCKED.test(text.replace(/access denied/g, ''))
}

/** The server does not take mail of this domain from anybody, and says so of no sender. */
function isRelay(text: string): boolean {
  return RELAY.test(text) && !text.includes('sender') && !BLOCKED.test(text.replace(/access denied/g, ''))
}

function putOff({ code, enhanced, text }: Reply): Said {
  if (BLOCKED.test(text) && !/gr[ea]y-?list/.test(text)) return UNSURE('antispam_system')
  if (code === 421) return UNSURE('mail_server_temporary_error')
  const listed = PUT_OFF.test(text) || enhanced?.startsWith('4.7.') === true
  return UNSURE(listed && (code === 450 || code === 451 || code === 452) ? 'greylisted' : 'mail_server_temporary_error')
}

/** What it says that the server refuses the greeting, EHLO, STARTTLS or MAIL: never anything of the mailbox. */
export function sessionVerdict({ code, enhanced, text }: Reply, step: 'greeting' | 'ehlo' | 'mail'): Said {
  if (code === 521 || (step === 'greeting' && enhanced === '5.3.2')) return said('invalid', 'does_not_accept_mail')
  if (code === 0) return UNSURE('exception_occurred')
  if (code >= 500) return UNSURE(step === 'ehlo' && !BLOCKED.test(text) ? 'exception_occurred' : 'antispam_system')
  if (code < 400) return UNSURE('exception_occurred')
  return putOff({ code, enhanced, text })
}
