/** One address, how its mail server behaves, and what must be said of it. */
export interface MailCase {
  readonly what: string
  /** Default `ada`. */
  readonly local?: string
  /** Reply to RCPT of the address, default that the mailbox exists. */
  readonly rcpt?: string
  /** Reply to RCPT of any other, default that there is no such user. */
  readonly other?: string
  readonly greeting?: string
  readonly ehlo?: string
  readonly mail?: string
  /** Records of the domain in place of an MX to the server; `DOMAIN` in them is the domain. */
  readonly zone?: Readonly<Record<string, readonly unknown[]>> | null
  /** Default one of its own below `test`. */
  readonly domain?: string
  readonly wanted: `${string} ${string}`
}

const NOBODY = '550 5.1.1 No such user'
const missing = 'invalid mailbox_not_found'
const antispam = 'unknown antispam_system'
const grey = 'unknown greylisted'
const full = 'invalid mailbox_quota_exceeded'
const later = 'unknown mail_server_temporary_error'
const none = 'invalid does_not_accept_mail'

export const MAIL_CASES: readonly MailCase[] = [
  { what: 'a mailbox that exists', wanted: 'valid null' },
  { what: 'one that is forwarded', rcpt: '251 2.1.5 User not local; will forward', wanted: 'valid null' },
  { what: 'any name is taken', other: '250 OK', wanted: 'catch-all null' },
  { what: 'a function', local: 'sales', wanted: 'do_not_mail role_based' },
  { what: 'a function where any name is taken', local: 'info', other: '250 OK', wanted: 'do_not_mail role_based_catch_all' },
  { what: 'a function that nobody has', local: 'support', rcpt: NOBODY, wanted: missing },
  { what: 'the question for nobody is put off', other: '451 4.7.1 try again later', wanted: 'valid null' },
  {
    what: 'Postfix: unknown user',
    rcpt: '550 5.1.1 <ada@x.test>: Recipient address rejected: User unknown in local recipient table',
    wanted: missing,
  },
  { what: 'Exim: unknown user, no enhanced code', rcpt: '550 Unrouteable address', wanted: missing },
  {
    what: 'Gmail: unknown user',
    rcpt: "550-5.1.1 The email account that you tried to reach does not exist. Please try\r\n550-5.1.1 double-checking the recipient's email address for typos or\r\n550 5.1.1 unnecessary spaces. gsmtp",
    wanted: missing,
  },
  {
    what: 'Exchange Online: not in the directory',
    rcpt: '550 5.4.1 Recipient address rejected: Access denied. [mx.prod.protection.example]',
    wanted: missing,
  },
  {
    what: 'Exchange: unknown recipient',
    rcpt: '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
    wanted: missing,
  },
  { what: 'a bare 550', rcpt: '550 Requested action not taken: mailbox unavailable', wanted: missing },
  { what: '553, not allowed', rcpt: '553 sorry, no mailbox here by that name', wanted: missing },
  { what: '5.7.1 whose text speaks of the user', rcpt: '550 5.7.1 Unknown user', wanted: missing },
  { what: 'disabled', rcpt: '550 5.2.1 The email account that you tried to reach is disabled', wanted: missing },
  {
    what: 'a mailbox named abuse that nobody has',
    local: 'spam.abuse',
    rcpt: '550 5.1.1 <spam.abuse@x.test> user unknown',
    wanted: missing,
  },
  { what: 'full for the moment', rcpt: '452 4.2.2 The email account that you tried to reach is over quota', wanted: full },
  { what: 'full for good', rcpt: '552 5.2.2 Mailbox full', wanted: full },
  {
    what: 'Postgrey',
    rcpt: '450 4.2.0 <ada@x.test>: Recipient address rejected: Greylisted, see http://postgrey.example/help',
    wanted: grey,
  },
  { what: 'greylisting by its usual code', rcpt: '451 4.7.1 Please try again later', wanted: grey },
  { what: 'greylisting without its name', rcpt: '451 Temporary failure, please retry later', wanted: grey },
  { what: 'disk full', rcpt: '452 4.3.1 Insufficient system resources', wanted: later },
  { what: 'an error for the moment', rcpt: '451 4.3.0 Temporary lookup failure', wanted: later },
  { what: 'closing down', rcpt: '421 4.3.2 Service shutting down', wanted: later },
  { what: 'Spamhaus', rcpt: '550 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org', wanted: antispam },
  { what: 'a list, with 5.1.1 all the same', rcpt: '550 5.1.1 Mail refused: your IP is listed in bl.spamcop.net', wanted: antispam },
  { what: 'Exchange Online: banned sender', rcpt: '550 5.7.606 Access denied, banned sending IP [192.0.2.1]', wanted: antispam },
  { what: 'no reverse DNS', rcpt: '550 5.7.25 Client host has no PTR record', wanted: antispam },
  { what: 'a list for the moment', rcpt: '450 4.7.1 Client host rejected: cannot find your reverse hostname', wanted: antispam },
  { what: 'a list at the greeting', greeting: '554 5.7.1 Blocked - see https://www.spamcop.net/bl.shtml', wanted: antispam },
  { what: 'a list at MAIL', mail: '550 5.7.1 Your address is on a blocklist', wanted: antispam },
  { what: 'greylisting at MAIL', mail: '451 4.7.1 Greylisting in action, please come back later', wanted: grey },
  { what: 'EHLO refused', ehlo: '550 5.7.1 Invalid HELO name', wanted: antispam },
  { what: 'the server is not for this domain', rcpt: '550 5.7.1 Relaying denied', wanted: none },
  { what: 'RFC 7504: takes no mail', greeting: '521 mx.example does not accept mail', wanted: none },
  { what: 'RFC 7504 at RCPT', rcpt: '556 5.1.10 Recipient domain does not accept mail', wanted: none },
  { what: 'nonsense for a greeting', greeting: 'HTTP/1.1 400 Bad Request', wanted: 'unknown exception_occurred' },
  { what: 'nonsense at RCPT', rcpt: '¿que?', wanted: 'unknown exception_occurred' },
  { what: 'a syntax error that is not the address', rcpt: '503 5.5.1 Bad sequence of commands', wanted: 'unknown exception_occurred' },
  { what: 'null MX (RFC 7505)', zone: { MX: [{ preference: 0, exchange: '.' }] }, wanted: none },
  { what: 'neither MX nor address', zone: { TXT: ['v=spf1 -all'] }, wanted: 'invalid no_dns_entries' },
  { what: 'a domain that does not exist', zone: null, wanted: 'invalid no_dns_entries' },
  { what: 'one that does not exist and is mistyped', domain: 'gmial.com', zone: null, wanted: 'invalid possible_typo' },
  { what: 'disposable', domain: 'mailinator.com', wanted: 'do_not_mail disposable' },
  { what: 'no MX but an address', zone: {}, wanted: 'valid null' },
  { what: 'a quoted local part', local: '"ada lovelace"', wanted: 'valid null' },
  { what: '64 octets', local: 'a'.repeat(64), wanted: 'valid null' },
  { what: '65 octets', local: 'a'.repeat(65), wanted: 'invalid failed_syntax_check' },
  { what: 'two dots', local: 'a..b', wanted: 'invalid failed_syntax_check' },
  { what: 'a comment', local: 'ada(work)', wanted: 'invalid failed_syntax_check' },
  { what: 'letters that the server does not take', local: 'jörg', wanted: none },
  { what: 'letters that it takes', local: 'jörg', ehlo: '250-mx.example\r\n250 SMTPUTF8', wanted: 'valid null' },
  { what: 'a 550 that says to try again', rcpt: '550 Try again later', wanted: later },
  { what: 'a 550 that says no more than rejected', rcpt: '550 rejected', wanted: antispam },
  { what: 'a 550 about a rate', rcpt: '550 Rate limit exceeded', wanted: later },
  { what: 'a 550 about too many recipients', rcpt: '550 Too many recipients', wanted: later },
  { what: 'a 552 about the size of messages', rcpt: '552 5.3.4 Message size exceeds fixed limit', wanted: 'unknown exception_occurred' },
  { what: 'a 552 about too many recipients', rcpt: '552 Too many recipients', wanted: later },
  { what: 'the system of the server is full', rcpt: '452 4.3.1 Insufficient disk space', wanted: later },
  { what: 'a host below a public suffix that is in the list of disposable domains', domain: 'someone.pp.ua', wanted: 'valid null' },
]
