import { capability, flat, nullable, oneOf, port, Type, type Static } from '../../../core/sdk/index.js'

/** Statuses of an address, as ZeroBounce names them. */
export const STATUSES = ['valid', 'invalid', 'catch-all', 'unknown', 'spamtrap', 'abuse', 'do_not_mail'] as const

const word = (description: string) => nullable(Type.String({ description }))
const status = oneOf(...STATUSES)

/** The verdict of a vendor or a mail server on an address; what it does not report is null. */
export const verdict = Type.Object({
  status,
  /** The reason, as ZeroBounce names it; null when there is none. */
  sub_status: nullable(Type.String()),
  is_free_email: nullable(Type.Boolean()),
  /** The whole address that was probably meant. */
  did_you_mean: nullable(Type.String()),
  domain_age_days: nullable(Type.String()),
  smtp_provider: nullable(Type.String()),
  mx_found: nullable(oneOf('true', 'false')),
  mx_record: nullable(Type.String()),
  /** Remarks for the caller; they never contain the address. */
  notes: Type.Array(Type.String()),
  /** No mail server was contacted: no slot or connection was free in time. Another call may get one. */
  not_asked: Type.Optional(Type.Literal(true)),
})

/**
 * Input and output of the vendors of emails.verify: a syntactically valid address, and the mail hosts of its domain.
 */
export const verifyVendors = port({
  id: 'emails.verify',
  input: Type.Object({
    /** The local part as given and the domain as A-labels. */
    address: Type.String({ maxLength: 254 }),
    local: Type.String(),
    domain: Type.String(),
    /** The local part has characters outside ASCII. */
    international: Type.Boolean(),
    /** Mail hosts of the domain in order of preference; empty when no name server answered. */
    hosts: Type.Array(Type.String()),
    /** Time limit in milliseconds of a vendor that contacts the mail servers itself. */
    left_ms: Type.Integer({ minimum: 0 }),
  }),
  output: verdict,
})

/** Whether an email address is deliverable. */
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
  title: 'Verify an email address',
  description:
    'Checks whether an email address is deliverable, without sending mail: its syntax, the mail servers of its ' +
    'domain, and their response for the mailbox. status is valid, invalid, catch-all (the domain accepts mail for ' +
    'any name), do_not_mail (disposable, or a role address such as info@), spamtrap, abuse, or unknown, for example ' +
    'when mail servers cannot be reached or defer the check; sub_status gives the reason: mailbox_not_found, ' +
    'failed_syntax_check, no_dns_entries, does_not_accept_mail, mailbox_quota_exceeded, disposable, role_based, ' +
    'greylisted, antispam_system, failed_smtp_connection, timeout_exceeded and others. did_you_mean corrects a ' +
    'mistyped domain. Retry unknown later; other results are cached for a day.',
  input: Type.Object({
    email: Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: 'The address alone, without a display name or angle brackets; any script.',
    }),
  }),
  output: Type.Object({
    email: Type.String({ description: 'The verified address, as given.' }),
    status: { ...status, description: 'Verification status of the address.' },
    sub_status: word('Reason for the status; null when there is none.'),
    is_free_email: nullable(Type.Boolean({ description: 'Whether the domain belongs to a free mail service such as gmail.com.' })),
    did_you_mean: word('The address that was probably meant; null when the address looks right.'),
    domain_age_days: word('Days since the domain was registered, as a string.'),
    smtp_provider: word('Mail provider of the domain, such as google, g-suite or microsoft.'),
    mx_found: nullable({ ...oneOf('true', 'false'), description: 'Whether the domain has MX records, as a string.' }),
    mx_record: word('The preferred MX host.'),
  }),
  price: flat(1),
  work: 'light',
  timeoutMs: 30_000,
  vendors: verifyVendors,
  check: ({ email }) => violations(email),
  examples: [
    { title: 'Verify an address', params: { email: 'ada@example.com' } },
    { title: 'A mistyped address', params: { email: 'ada@gmial.com' } },
  ],
})

export type Verdict = Static<typeof verdict>
export type VerifyInput = Static<typeof verifyVendors.input>
export type Verification = Static<typeof emailsVerify.output>

/** Violations of an input that is not a single address; a quoted local part may contain spaces. */
function violations(email: string): { loc: string[]; msg: string }[] {
  const msg = /\p{Cc}|\p{Zl}|\p{Zp}/u.test(email)
    ? 'must not contain line breaks or control characters'
    : /\p{Zs}/u.test(email.startsWith('"') ? email.replace(/^"(?:[^"\\]|\\.)*"/u, '') : email)
      ? 'must be a single address without a display name, commas or spaces'
      : null
  return msg === null ? [] : [{ loc: ['email'], msg }]
}
