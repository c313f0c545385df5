import { capability, flat, nullable, oneOf, port, Type, type Static } from '../../../core/sdk/index.js'

/** What can be said of an address, in ZeroBounce's words. */
export const STATUSES = ['valid', 'invalid', 'catch-all', 'unknown', 'spamtrap', 'abuse', 'do_not_mail'] as const

const word = (description: string) => nullable(Type.String({ description }))
const status = oneOf(...STATUSES)

/** What a vendor, or a mail server, says of an address; what it does not say is null. */
export const verdict = Type.Object({
  status,
  /** Why, in ZeroBounce's words; null when there is nothing to add. */
  sub_status: nullable(Type.String()),
  is_free_email: nullable(Type.Boolean()),
  /** The whole address that was probably meant. */
  did_you_mean: nullable(Type.String()),
  domain_age_days: nullable(Type.String()),
  smtp_provider: nullable(Type.String()),
  mx_found: nullable(oneOf('true', 'false')),
  mx_record: nullable(Type.String()),
  /** What a reader should know of this answer; without the address. */
  notes: Type.Array(Type.String()),
  /** Nobody was asked, because the one who called got no turn or connection in time; another caller may get one. */
  not_asked: Type.Optional(Type.Literal(true)),
})

/** What the vendors of emails.verify are asked: an address of right syntax whose domain takes mail, and who takes it. */
export const verifyVendors = port({
  id: 'emails.verify',
  input: Type.Object({
    /** The local part as given and the domain as A-labels. */
    address: Type.String({ maxLength: 254 }),
    local: Type.String(),
    domain: Type.String(),
    /** The local part has characters outside ASCII. */
    international: Type.Boolean(),
    /** Hosts that take mail for the domain, the preferred one first; empty when no name server answered. */
    hosts: Type.Array(Type.String()),
    /** Milliseconds for who talks with the mail servers itself. */
    left_ms: Type.Integer({ minimum: 0 }),
  }),
  output: verdict,
})

/** Whether mail to an address arrives. */
export const emailsVerify = capability({
  id: 'emails.verify',
  path: '/v1/emails/verify',
  phrases: [
    {
      say: '* verification validation deliverable deliver bounce real fake exists active valid invalid accepts disposable throwaway typo mailbox inbox',
    },
    { say: 'verify|validate|check {email}' },
    { say: 'verify|validate email|mail address' },
    { say: 'check email|mail address' },
    { say: 'is {email} valid|real|deliverable|disposable|working|catch-all' },
    { say: 'email|mail|address|mailbox deliverable|bounce|valid|exist|disposable' },
    { say: 'mailbox' },
    { say: 'bounce' },
  ],
  title: 'Verify a mail address',
  description:
    'Says whether a mail address is deliverable, without sending anything to it: its syntax, the mail servers of its domain, and what they say of ' +
    'the mailbox. status is valid, invalid, catch-all (the domain takes mail for any name), do_not_mail (disposable, or of a function such as ' +
    'info@), spamtrap, abuse, or unknown, as when mail servers cannot be reached or put the question off; sub_status ' +
    'says why: mailbox_not_found, failed_syntax_check, no_dns_entries, does_not_accept_mail, mailbox_quota_exceeded, disposable, role_based, ' +
    'greylisted, antispam_system, failed_smtp_connection, timeout_exceeded and so on. did_you_mean corrects a mistyped domain. Ask again later ' +
    'for unknown; other answers are kept for a day.',
  input: Type.Object({
    email: Type.String({ minLength: 1, maxLength: 1_000, description: 'The address alone, without a name or angle brackets; any script.' }),
  }),
  output: Type.Object({
    email: Type.String({ description: 'The address that was verified, as given.' }),
    status: { ...status, description: 'What can be said of the address.' },
    sub_status: word('Why; null when there is nothing to add.'),
    is_free_email: nullable(Type.Boolean({ description: 'The domain belongs to a mail service for everybody, such as gmail.com.' })),
    did_you_mean: word('The address that was probably meant; null when it looks right.'),
    domain_age_days: word('Days since the domain was registered, as text.'),
    smtp_provider: word('Who takes mail for the domain, such as google, g-suite or microsoft.'),
    mx_found: nullable({ ...oneOf('true', 'false'), description: 'Whether the domain has MX records, as text.' }),
    mx_record: word('The preferred MX host.'),
  }),
  price: flat(1),
  work: 'light',
  timeoutMs: 30_000,
  vendors: verifyVendors,
  check: ({ email }) => violations(email),
  examples: [
    { title: 'An address', params: { email: 'ada@example.com' } },
    { title: 'One that is mistyped', params: { email: 'ada@gmial.com' } },
  ],
})

export type Verdict = Static<typeof verdict>
export type VerifyInput = Static<typeof verifyVendors.input>
export type Verification = Static<typeof emailsVerify.output>

/** What is no address at all; a blank within quotes belongs to it. */
function violations(email: string): { loc: string[]; msg: string }[] {
  const msg = /\p{Cc}|\p{Zl}|\p{Zp}/u.test(email)
    ? 'must not contain line breaks or control characters'
    : /\p{Zs}/u.test(email.startsWith('"') ? email.replace(/^"(?:[^"\\]|\\.)*"/u, '') : email)
      ? 'must be one address alone: without a name, commas or blanks'
      : null
  return msg === null ? [] : [{ loc: ['email'], msg }]
}
