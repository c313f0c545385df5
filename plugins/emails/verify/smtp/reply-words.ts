/** Refusals of us, not of the mailbox: lists, policies, our name, address or sender. */
const BLOCKED =
  /\b(?:block(?:ed|ing)?[ -]?list|black[ -]?list|denylist|dnsbl|rbl|rhsbl|spamhaus|zen\.|sbl|xbl|pbl|css|spamcop|sorbs|barracudacentral|barracuda reputation|uceprotect|senderbase|senderscore|invaluement|mailspike|surbl|uribl|psbl|abuseat|cbl|proofpoint|cloudmark|trustedsource|reputation|banned|blocked|blocking|spam|bulk mail|abuse|policy reasons|local policy|policy rejection|prohibit(?:ed|ion)|administratively|poor reputation|listed (?:by|in|at|on)|is listed|dynamic ip|dial-?up|residential|reverse dns|rdns|ptr record|no ptr|helo|ehlo|sender (?:address |domain )?(?:is |was )?(?:rejected|denied|refused|verify failed|verification failed|not (?:allowed|valid|found|accepted)|invalid|unknown|does not exist)|(?:invalid|unknown|bad|unresolvable|unverified|non-?existent) (?:sender|return[ -]?path|envelope)|spf|dmarc|dkim|client (?:host|address) rejected|your (?:ip|host|server|network)|access (?:is |was )?denied|connection refused|not authori[sz]ed|unauthori[sz]ed|authentication (?:is )?required|must (?:authenticate|issue a starttls)|too many (?:errors|connections|invalid|unknown))\b/
const UNKNOWN_MAILBOX =
  /\b(?:user|mailbox|recipient|account|address|inbox|alias|addressee|person|customer|destination)(?: [\w<>@.'"-]+)? (?:is |was |does |has )?(?:unknown|not (?:found|exist|known|valid|here|listed|local|available|active|present|recognized)|doesn'?t exist|invalid|no longer|disabled|inactive|suspended|closed|deactivated|unavailable|been (?:disabled|closed|suspended|deactivated))|(?:unknown|invalid|no such|non-?existent|nonexistent|inactive|disabled|bad|undeliverable) (?:\w+ )?(?:user|mailbox|recipient|account|address|inbox|destination|person|local part|virtual)|no (?:mailbox|such|valid recipient|user)|not (?:a )?(?:known|valid) (?:user|mailbox|recipient|address)|user doesn'?t|does not exist|doesn'?t have an? .{0,40}account|mailbox name (?:is )?not allowed|recipient (?:address )?rejected|address rejected|recipient not (?:ok|accepted)|unrouteable address|unroutable address/
/** Words that rule out a later try. */
const DEFINITE = /\b(?:no such|unknown|does(?: not|n'?t) exist|not (?:found|exist)|non-?existent|invalid)\b/
const FULL =
  /\b(?:quota|mailbox(?: is)? full|is full|over ?quota|inbox (?:is )?full|storage (?:limit|exceeded|allocation)|insufficient mailbox|(?:mailbox|inbox|account|user|recipient)[^.]{0,40}out of (?:storage|space))\b/
/** Quotas of the sender. */
const OWN_QUOTA = /\b(?:sending|sender'?s?|daily|hourly|outbound|relay)\b[^.]{0,30}\b(?:quota|limit)\b/
const GREYLISTING = /gr[ea]y-?list|postgrey/
const PUT_OFF =
  /try again|retry (?:later|in)|please (?:retry|wait)|come back later|unverified address|verification in progress|temporarily (?:deferred|rejected|delayed|unavailable|refused)|deferred|not yet (?:authori[sz]ed|accepted)/
/** Too many at once, or in a period. */
const RATE =
  /rate[ -]?limit|throttl|\btoo (?:many|fast|quickly|frequent|often)\b|\bat a rate\b|\b(?:limit|maximum|number|rate)\b[^.]{0,40}\bexceed|\bexceed(?:s|ed|ing)?\b[^.]{0,40}\b(?:limit|rate|number|recipients|connections)\b|\bmaximum (?:number of )?(?:recipients|connections)\b/
const SIZE =
  /\b(?:message|mail|size)\b[^.]{0,40}\b(?:too (?:large|big|long)|larger than|exceeds?)\b|\b(?:message|maximum) (?:size|length)\b|\bsize (?:limit|exceed)/
const RELAY =
  /\brelay(?:ing)?\b|not (?:a )?(?:local|hosted|handled)(?: domain| here)?|rcpthosts|domain (?:not|isn'?t) (?:found|hosted|local|handled|here|served)|we do not (?:accept|handle) mail for|not our (?:customer|domain)|no mail for/
const REFUSAL =
  /\b(?:reject|refus|den(?:y|ied)|disallow|forbid|not (?:allowed|permitted|accepted|welcome)|polic(?:y|ies)|content|virus|malware|tls|encrypt|authenticat)/
const TROUBLE =
  /\b(?:error|fail|time(?:d |-)?out|busy|overload|later|temporar|internal|cannot|unable|connection|session|command|sequence|syntax|parameter|message)/

/** Names a list, a policy, or our own name, address or sender. */
export function isBlocked(text: string): boolean {
  return BLOCKED.test(text)
}

/** Names a mailbox that does not exist or accepts no mail. */
export function isUnknownMailbox(text: string): boolean {
  return UNKNOWN_MAILBOX.test(text)
}

/** Names the mailbox, and no list, policy or host of ours. */
export function isOfMailbox(text: string): boolean {
  return UNKNOWN_MAILBOX.test(text) && !BLOCKED.test(text.replace(/access denied/g, ''))
}

/** The server does not accept mail for this domain, regardless of the sender. */
export function isRelay(text: string): boolean {
  return RELAY.test(text) && !text.includes('sender') && !BLOCKED.test(text.replace(/access denied/g, ''))
}

/** The mailbox is full. */
export function isFull(text: string): boolean {
  return FULL.test(text) && !OWN_QUOTA.test(text)
}

/** Names greylisting. */
export function isGreylisting(text: string): boolean {
  return GREYLISTING.test(text)
}

/** A later try may succeed; not for replies that also deny the mailbox permanently. */
export function isPutOff(text: string): boolean {
  return GREYLISTING.test(text) || (PUT_OFF.test(text) && !DEFINITE.test(text))
}

/** Too many or too much, temporarily. */
export function isRate(text: string): boolean {
  return RATE.test(text) || OWN_QUOTA.test(text)
}

/** The message is too long. */
export function isSize(text: string): boolean {
  return SIZE.test(text)
}

/** A refusal that does not mention the mailbox. */
export function isRefusal(text: string): boolean {
  return REFUSAL.test(text)
}

/** A failure unrelated to the mailbox. */
export function isTrouble(text: string): boolean {
  return TROUBLE.test(text)
}
