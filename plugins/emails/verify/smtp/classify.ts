import type { Finding } from '../finding.js'
import type { Reply } from './reply.js'
import {
  isBlocked,
  isFull,
  isGreylisting,
  isOfMailbox,
  isPutOff,
  isRate,
  isRefusal,
  isRelay,
  isSize,
  isTrouble,
  isUnknownMailbox,
} from './reply-words.js'

const invalid = (sub_status: string): Finding => ({ status: 'invalid', sub_status })
const unknown = (sub_status: string): Finding => ({ status: 'unknown', sub_status })
const NO_MAIL = invalid('does_not_accept_mail')
const NOT_FOUND = invalid('mailbox_not_found')
const QUOTA = invalid('mailbox_quota_exceeded')
const ANTISPAM = unknown('antispam_system')
const TEMPORARY = unknown('mail_server_temporary_error')
const UNCLEAR = unknown('exception_occurred')

/** The meaning of the reply to RCPT for the mailbox (RFC 5321 4.2.3, RFC 3463); `accepted` when it is accepted. */
export function recipientVerdict(reply: Reply): 'accepted' | Finding {
  const { code } = reply
  if (code >= 250 && code < 260) return 'accepted'
  if (code < 400) return UNCLEAR
  if (isOverQuota(reply)) return QUOTA
  return code >= 500 ? refused(reply) : putOff(reply)
}

/** The mailbox is full: 4.2.2 and 5.2.2, or 552 by its text when no other status names the storage. */
function isOverQuota({ code, enhanced, text }: Reply): boolean {
  if (enhanced !== null && /^[45]\.2\.2$/.test(enhanced)) return true
  if (enhanced !== null && !/^[45]\.[012]\.\d+$/.test(enhanced)) return false
  if (isFull(text)) return true
  // RFC 5321: 552 is "exceeded storage allocation"; servers also use it for long messages and too many recipients.
  const other = isSize(text) || isRate(text) || isUnknownMailbox(text) || isBlocked(text) || isTrouble(text) || isRefusal(text)
  return code === 552 && enhanced === null && !other
}

/** A permanent refusal (5yz). */
function refused(reply: Reply): Finding {
  const { code, enhanced, text } = reply
  if (code === 521 || code === 556) return NO_MAIL
  if (isSize(text) || enhanced === '5.2.3' || enhanced === '5.3.4') return UNCLEAR
  if (isRate(text) || enhanced === '5.5.3') return isBlocked(text) ? ANTISPAM : TEMPORARY
  return byEnhanced(enhanced, text) ?? byText(reply)
}

/** The meaning of the enhanced status code when it is reliable; null when the text decides. */
function byEnhanced(enhanced: string | null, text: string): Finding | null {
  if (enhanced === null) return null
  // The mailbox is disabled.
  if (enhanced === '5.2.1') return NOT_FOUND
  // About the sender.
  if (enhanced === '5.1.7' || enhanced === '5.1.8') return ANTISPAM
  // RFC 3463: 5.1.0 to 5.1.6 and 5.1.10 are about the recipient's address.
  if (/^5\.1\.(?:[0-46]|10)$/.test(enhanced)) return ofAddress(enhanced, text)
  // Exchange Online uses 5.4.1 for a recipient missing in its directory.
  if (enhanced === '5.4.1' && /recipient address(?:es)? rejected/.test(text)) return NOT_FOUND
  // Non-ASCII addresses are not supported (RFC 6531).
  if (enhanced === '5.6.7') return NO_MAIL
  return enhanced.startsWith('5.7.') ? policy(text) : null
}

/** A named blocklist takes precedence over an address status: some servers send 5.1.x to every blocked client. */
function ofAddress(enhanced: string, text: string): Finding {
  if (isBlocked(text) && !isOfMailbox(text)) return ANTISPAM
  return enhanced === '5.1.2' && isRelay(text) ? NO_MAIL : NOT_FOUND
}

/** 5.7.x is about permission, but some servers use it for all refusals. */
function policy(text: string): Finding {
  if (isOfMailbox(text)) return NOT_FOUND
  return isRelay(text) ? NO_MAIL : ANTISPAM
}

/** A refusal with an ambiguous code: 550 is used for a missing mailbox, no access and policy alike. */
function byText({ code, enhanced, text }: Reply): Finding {
  if (isRelay(text) && !isUnknownMailbox(text)) return NO_MAIL
  if (isBlocked(text)) return isOfMailbox(text) ? NOT_FOUND : ANTISPAM
  if (isPutOff(text)) return isGreylisting(text) ? unknown('greylisted') : TEMPORARY
  if (isUnknownMailbox(text)) return NOT_FOUND
  if (code === 554 || code === 530 || code === 535) return ANTISPAM
  // State of an existing mailbox, system, network, protocol or content.
  if (enhanced !== null && /^5\.[2-6]\./.test(enhanced)) return UNCLEAR
  if (code !== 550 && code !== 551 && code !== 553) return UNCLEAR
  if (isRefusal(text)) return ANTISPAM
  return isTrouble(text) ? UNCLEAR : NOT_FOUND
}

function putOff({ code, enhanced, text }: Reply): Finding {
  if (isBlocked(text) && !isGreylisting(text)) return ANTISPAM
  if (code === 421 || isRate(text)) return TEMPORARY
  const listed = isPutOff(text) || enhanced?.startsWith('4.7.') === true
  return listed && (code === 450 || code === 451 || code === 452) ? unknown('greylisted') : TEMPORARY
}

/** The finding when the server refuses the greeting, EHLO, STARTTLS or MAIL: never about the mailbox. */
export function sessionVerdict({ code, enhanced, text }: Reply, step: 'greeting' | 'ehlo' | 'mail'): Finding {
  if (code === 521 || (step === 'greeting' && enhanced === '5.3.2')) return NO_MAIL
  if (code === 0) return UNCLEAR
  if (code >= 500) return step === 'ehlo' && !isBlocked(text) ? UNCLEAR : ANTISPAM
  if (code < 400) return UNCLEAR
  return putOff({ code, enhanced, text })
}
