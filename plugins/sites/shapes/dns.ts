import { nullable, oneOf, Type, type Static } from '../../../core/sdk/index.js'

const text = (description: string) => nullable(Type.String({ description }))
const texts = (description: string) => Type.Array(Type.String(), { description })
const problems = texts('Problems of the record, one sentence each.')

/** The summary of the zone, as in mode overview. */
export const dnsShape = Type.Object(
  {
    provider: text('Operator of the name servers.'),
    a_records: texts('IPv4 addresses.'),
    mx_records: Type.Array(
      Type.Object({
        priority: Type.Integer({ description: 'Lower values are tried first.' }),
        host: Type.String({ description: 'Mail server.' }),
      }),
      { description: 'Mail servers in order of preference.' },
    ),
    email_provider: text('Operator of the mailboxes, or of the mail filter in front of them.'),
    has_spf: nullable(Type.Boolean({ description: 'Whether the domain has an SPF record.' })),
    spf_record: text('The SPF record.'),
    has_dmarc: nullable(Type.Boolean({ description: 'Whether the domain or its registrable domain has a DMARC record.' })),
    dmarc_policy: text('DMARC policy: none, quarantine or reject.'),
    dkim_found: nullable(
      Type.Boolean({ description: 'Whether a key was found at a common selector; false does not prove that there is none.' }),
    ),
    dkim_selectors: Type.Array(
      Type.Object({ selector: Type.String(), preview: Type.String({ description: 'The first 80 characters of the record.' }) }),
      { description: 'Selectors with a key.' },
    ),
  },
  { description: 'Summary of DNS and email security. Null in modes without it, and when the name servers did not answer.' },
)

/** SPF by RFC 7208, with includes followed. */
const spfShape = Type.Object({
  record: Type.String(),
  valid: Type.Boolean({ description: 'Whether a receiver can evaluate it: one record, known terms, at most 10 lookups.' }),
  all: text('Result for all other senders: -all, ~all, ?all or +all; null when the record has none.'),
  lookups: Type.Integer({ description: 'Number of terms that need a DNS lookup, with includes and redirects followed; the limit is 10.' }),
  void_lookups: Type.Integer({ description: 'Number of lookups without a result; the limit is 2.' }),
  mechanisms: texts('Terms of the record, in order.'),
  includes: Type.Array(
    Type.Object({
      domain: Type.String(),
      /** 1 for references of the record itself. */
      depth: Type.Integer({ description: '1 for what the record itself names, 2 for what that one names, and so on.' }),
      record: text('SPF record of the domain; null when it has none.'),
    }),
    { description: 'Tree of includes and redirects, in order of evaluation.' },
  ),
  problems,
})

/** DMARC by RFC 7489. */
const dmarcShape = Type.Object({
  record: Type.String(),
  domain: Type.String({ description: 'Domain of the record: the domain itself or its registrable domain.' }),
  policy: text('Policy for this domain: none, quarantine or reject.'),
  subdomain_policy: text('Policy for subdomains.'),
  percent: Type.Integer({ description: 'Percentage of failing mail to which the policy applies.' }),
  dkim_alignment: oneOf('relaxed', 'strict'),
  spf_alignment: oneOf('relaxed', 'strict'),
  aggregate_reports: texts('Destinations of aggregate reports.'),
  failure_reports: texts('Destinations of reports on single messages.'),
  problems,
})

/** One DKIM key. */
const dkimShape = Type.Object({
  selector: Type.String(),
  record: Type.String({ description: 'The record, at most 1,000 characters.' }),
  key_type: text('rsa or ed25519.'),
  key_bits: nullable(Type.Integer({ description: 'Size of an RSA key in bits.' })),
  testing: Type.Boolean({ description: 'Whether the record is marked as a test of DKIM.' }),
  revoked: Type.Boolean({ description: 'Whether the key is empty, which revokes it.' }),
  alias: text('Name that the selector is an alias of, which identifies the sending service.'),
  problems,
})

/** DNSSEC as far as the answers show. */
const dnssecShape = Type.Object({
  signed: Type.Boolean({ description: 'Whether the zone has keys.' }),
  delegated: Type.Boolean({ description: 'Whether the parent zone has a DS record.' }),
  authenticated: Type.Boolean({ description: 'Whether the queried name server validated the answers (AD bit).' }),
  matches: nullable(Type.Boolean({ description: 'Whether a DS record is the digest of a key of the zone; null unless both exist.' })),
  bogus: Type.Boolean({
    description:
      'Whether validating resolvers return no answer: keys do not match, or the queried name server rejects the zone (checked with the CD bit).',
  }),
  algorithms: texts('Algorithms of the keys.'),
  problems,
})

const caaShape = Type.Object({
  flags: Type.Integer(),
  tag: Type.String({ description: 'issue, issuewild, iodef and so on.' }),
  value: Type.String(),
})

/** MTA-STS (RFC 8461). */
const mtaStsShape = Type.Object({
  id: text('Id of the policy in DNS.'),
  mode: text('enforce, testing or none; null when the policy could not be fetched.'),
  mx: texts('Mail servers in the policy.'),
  max_age: nullable(Type.Integer({ description: 'Seconds for which senders cache the policy.' })),
  problems,
})

const tlsRptShape = Type.Object({ record: Type.String(), reports: texts('Destinations of reports.'), problems })

const bimiShape = Type.Object({
  record: Type.String(),
  logo_url: text('URL of the logo.'),
  certificate_url: text('URL of the mark certificate.'),
  problems,
})

/** Additional fields of mode dns. */
export const dnsDetails = {
  records: nullable(
    Type.Record(Type.String(), texts('Values, as in a zone file.'), {
      description:
        'Mode dns: the records of the name by type, strings without quotes. SRV and TLSA records, which belong to ' +
        'names below it or to its mail servers, begin with their owner name.',
    }),
  ),
  spf: nullable(Type.Object(spfShape.properties, { description: 'Modes dns and security: SPF in detail; null when there is none.' })),
  dmarc: nullable(Type.Object(dmarcShape.properties, { description: 'Modes dns and security: DMARC in detail; null when there is none.' })),
  dkim: nullable(Type.Array(dkimShape, { description: 'Modes dns and security: DKIM keys at the common selectors.' })),
  dnssec: nullable(Type.Object(dnssecShape.properties, { description: 'Modes dns and security: DNSSEC in detail.' })),
  caa: nullable(
    Type.Array(caaShape, { description: 'Modes dns and security: CAA records, which state who may issue certificates for the name.' }),
  ),
  mta_sts: nullable(Type.Object(mtaStsShape.properties, { description: 'Modes dns and security: MTA-STS; null when there is none.' })),
  tls_rpt: nullable(Type.Object(tlsRptShape.properties, { description: 'Modes dns and security: TLS-RPT; null when there is none.' })),
  bimi: nullable(Type.Object(bimiShape.properties, { description: 'Modes dns and security: BIMI; null when there is none.' })),
}

/** The full report of the dns part. With depth `short` the details are null. */
export const dnsReportShape = Type.Object({
  dns: dnsShape,
  ...dnsDetails,
  /** Parts that are null or empty because they were not answered, or not in time: `dns.mx_records`, `spf`, `mta_sts` and so on. */
  unanswered: Type.Array(Type.String()),
})

export type DnsReport = Static<typeof dnsReportShape>
export type Spf = Static<typeof spfShape>
export type Dmarc = Static<typeof dmarcShape>
export type Dkim = Static<typeof dkimShape>
export type Dnssec = Static<typeof dnssecShape>
export type MtaSts = Static<typeof mtaStsShape>
export type TlsRpt = Static<typeof tlsRptShape>
export type Bimi = Static<typeof bimiShape>
