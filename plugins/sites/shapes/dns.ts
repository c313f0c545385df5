import { nullable, oneOf, Type, type Static } from '../../../core/sdk/index.js'

const text = (description: string) => nullable(Type.String({ description }))
const texts = (description: string) => Type.Array(Type.String(), { description })
const problems = texts('What is wrong with the record, one sentence each.')

/** The summary of the zone, as in mode overview. */
export const dnsShape = Type.Object(
  {
    provider: text('Who runs the name servers.'),
    a_records: texts('IPv4 addresses.'),
    mx_records: Type.Array(
      Type.Object({ priority: Type.Integer({ description: 'Lower is tried first.' }), host: Type.String({ description: 'Mail server.' }) }),
      { description: 'Mail servers, the preferred one first.' },
    ),
    email_provider: text('Who runs the mailboxes, or the filter before them.'),
    has_spf: nullable(Type.Boolean({ description: 'The domain has an SPF record.' })),
    spf_record: text('The SPF record.'),
    has_dmarc: nullable(Type.Boolean({ description: 'The domain, or the domain above it, has a DMARC record.' })),
    dmarc_policy: text('none, quarantine or reject.'),
    dkim_found: nullable(
      Type.Boolean({ description: 'A key was found below one of the usual selectors. False is no proof that there is none.' }),
    ),
    dkim_selectors: Type.Array(
      Type.Object({ selector: Type.String(), preview: Type.String({ description: 'The first 80 characters of the record.' }) }),
      { description: 'Selectors that have a key.' },
    ),
  },
  { description: 'DNS and e-mail security in short. Null in modes without it, and when the name servers did not answer.' },
)

/** SPF by RFC 7208, with includes followed. */
const spfShape = Type.Object({
  record: Type.String(),
  valid: Type.Boolean({ description: 'A receiver could evaluate it: one record, known terms, at most 10 look-ups.' }),
  all: text('What holds for everybody else: -all, ~all, ?all or +all; null when nothing says so.'),
  lookups: Type.Integer({ description: 'Terms that need a DNS look-up, includes and redirects followed; 10 are allowed.' }),
  void_lookups: Type.Integer({ description: 'Look-ups that found nothing; 2 are allowed.' }),
  mechanisms: texts('The terms of the record, in order.'),
  includes: Type.Array(
    Type.Object({
      domain: Type.String(),
      /** 1 for references of the record itself. */
      depth: Type.Integer({ description: '1 for what the record itself names, 2 for what that one names, and so on.' }),
      record: text('Its SPF record; null when it has none.'),
    }),
    { description: 'The tree of includes and redirects, in the order of evaluation.' },
  ),
  problems,
})

/** DMARC by RFC 7489. */
const dmarcShape = Type.Object({
  record: Type.String(),
  domain: Type.String({ description: 'Where the record stands: the domain, or the registrable one above it.' }),
  policy: text('What holds for this domain: none, quarantine or reject.'),
  subdomain_policy: text('What holds for names below it.'),
  percent: Type.Integer({ description: 'Share of failing mail that the policy is applied to.' }),
  dkim_alignment: oneOf('relaxed', 'strict'),
  spf_alignment: oneOf('relaxed', 'strict'),
  aggregate_reports: texts('Where daily reports go.'),
  failure_reports: texts('Where reports of single messages go.'),
  problems,
})

/** One DKIM key. */
const dkimShape = Type.Object({
  selector: Type.String(),
  record: Type.String({ description: 'The record, at most 1,000 characters.' }),
  key_type: text('rsa or ed25519.'),
  key_bits: nullable(Type.Integer({ description: 'Size of an RSA key.' })),
  testing: Type.Boolean({ description: 'The domain says that it only tests DKIM.' }),
  revoked: Type.Boolean({ description: 'The key is empty, which revokes it.' }),
  alias: text('Name that the selector is an alias of, which tells the sending service.'),
  problems,
})

/** DNSSEC as far as the answers show. */
const dnssecShape = Type.Object({
  signed: Type.Boolean({ description: 'The zone has keys.' }),
  delegated: Type.Boolean({ description: 'The zone above has a DS record.' }),
  authenticated: Type.Boolean({ description: 'The name server that was asked validated the answers (AD bit).' }),
  matches: nullable(Type.Boolean({ description: 'A DS record is the digest of a key of the zone; null without both.' })),
  bogus: Type.Boolean({
    description:
      'Resolvers that validate give no answer: keys do not fit, or the name server that was asked refuses the zone (checked with the CD bit).',
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
  mx: texts('Mail servers of the policy.'),
  max_age: nullable(Type.Integer({ description: 'Seconds that senders keep the policy.' })),
  problems,
})

const tlsRptShape = Type.Object({ record: Type.String(), reports: texts('Where reports go.'), problems })

const bimiShape = Type.Object({
  record: Type.String(),
  logo_url: text('Address of the logo.'),
  certificate_url: text('Address of the certificate of the mark.'),
  problems,
})

/** Additional fields of mode dns. */
export const dnsDetails = {
  records: nullable(
    Type.Record(Type.String(), texts('Values, as in a zone file.'), {
      description:
        'Mode dns: the records of each type that the name has, texts without quotes. Those of SRV and TLSA, which stand at names below it or at its ' +
        'mail servers, begin with their name.',
    }),
  ),
  spf: nullable(Type.Object(spfShape.properties, { description: 'Modes dns and security: SPF in detail; null when there is none.' })),
  dmarc: nullable(Type.Object(dmarcShape.properties, { description: 'Modes dns and security: DMARC in detail; null when there is none.' })),
  dkim: nullable(Type.Array(dkimShape, { description: 'Modes dns and security: the DKIM keys below the usual selectors.' })),
  dnssec: nullable(Type.Object(dnssecShape.properties, { description: 'Modes dns and security.' })),
  caa: nullable(Type.Array(caaShape, { description: 'Modes dns and security: who may issue certificates for the name.' })),
  mta_sts: nullable(Type.Object(mtaStsShape.properties, { description: 'Modes dns and security: null when there is none.' })),
  tls_rpt: nullable(Type.Object(tlsRptShape.properties, { description: 'Modes dns and security: null when there is none.' })),
  bimi: nullable(Type.Object(bimiShape.properties, { description: 'Modes dns and security: null when there is none.' })),
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
