import { expect } from 'chai'
import type { DnsReport } from '../../shapes/dns.js'
import type { SitePage } from '../../shapes/page.js'
import type { TlsReport } from '../../shapes/tls.js'
import { securityOf } from './index.js'

const MX = [{ priority: 10, host: 'mx.acme.test' }]
const SIGNED = { signed: true, delegated: true, authenticated: true, matches: true, bogus: false, algorithms: [], problems: [] }
const DNS: DnsReport = {
  dns: {
    provider: null,
    a_records: [],
    mx_records: MX,
    email_provider: null,
    has_spf: true,
    spf_record: 'v=spf1 mx -all',
    has_dmarc: true,
    dmarc_policy: 'reject',
    dkim_found: true,
    dkim_selectors: [{ selector: 'google', preview: 'p=x' }],
  },
  records: null,
  spf: null,
  dmarc: null,
  dkim: [],
  dnssec: SIGNED,
  caa: [{ flags: 0, tag: 'issue', value: 'ca.test' }],
  mta_sts: { id: '1', mode: 'enforce', mx: [], max_age: 1, problems: [] },
  tls_rpt: { record: 'v=TLSRPTv1', reports: [], problems: [] },
  bimi: null,
  unanswered: [],
}
const TLS: TlsReport = {
  ssl: { issuer: 'CA', valid_to: '2030-01-01T00:00:00Z', days_until_expiry: 60, protocol: 'TLSv1.3', cipher_suite: 'x' },
  tls: {
    trusted: true,
    trust_error: null,
    versions: { TLSv1: 'refused', 'TLSv1.1': 'refused', 'TLSv1.2': 'accepted', 'TLSv1.3': 'accepted' },
    alpn: null,
    ocsp_stapled: null,
    names: [],
    chain: [{ subject: null, issuer: null, valid_from: '', valid_to: '', key_type: 'rsa', key_bits: 2048, fingerprint: '' }],
  },
}
const PAGE: SitePage = {
  url: 'https://acme.test/',
  host: 'acme.test',
  status: 200,
  headers: {},
  http_leads_to: 'https://acme.test/',
  http_unknown: null,
  https_failed: null,
  untrusted: null,
}

const dns = (more: Partial<DnsReport['dns']>, rest: Partial<DnsReport> = {}): DnsReport => ({
  ...DNS,
  ...rest,
  dns: { ...DNS.dns, ...more },
})
const tls = (more: Partial<TlsReport['tls']>, ssl: Partial<TlsReport['ssl']> = {}): TlsReport => ({
  ssl: { ...TLS.ssl, ...ssl },
  tls: { ...TLS.tls, ...more },
})
const key = (type: string, bits: number | null) => TLS.tls.chain.map((each) => ({ ...each, key_type: type, key_bits: bits }))

const above = (days: number) => [
  ...TLS.tls.chain,
  ...TLS.tls.chain.map((each) => ({
    ...each,
    subject: 'Middle',
    valid_to: new Date(Date.now() + (days + 0.5) * 86_400_000).toISOString(),
  })),
]

describe('sites: security of mail and TLS', () => {
  for (const [name, report, fails] of [
    ['everything', DNS, ''],
    ['no SPF', dns({ has_spf: false, spf_record: null }), 'email.spf email.spf_all'],
    ['SPF for all', dns({ spf_record: 'v=spf1 +all' }), 'email.spf_all'],
    ['SPF without an end', dns({ spf_record: 'v=spf1 mx' }), 'email.spf_all'],
    [
      'SPF that cannot be evaluated',
      dns(
        {},
        {
          spf: {
            record: '',
            valid: false,
            all: '-all',
            lookups: 11,
            void_lookups: 0,
            mechanisms: [],
            includes: [],
            problems: ['11 look-ups.'],
          },
        },
      ),
      'email.spf',
    ],
    ['no DMARC', dns({ has_dmarc: false, dmarc_policy: null }), 'email.dmarc email.dmarc_policy'],
    ['DMARC that only watches', dns({ dmarc_policy: 'none' }), 'email.dmarc_policy'],
    ['no DKIM key', dns({ dkim_found: false, dkim_selectors: [] }), 'email.dkim'],
    [
      'no mail at all',
      dns({ mx_records: [{ priority: 0, host: '.' }], spf_record: 'v=spf1 -all', dkim_found: false }, { mta_sts: null, tls_rpt: null }),
      '',
    ],
    ['no MTA-STS and TLS-RPT', dns({}, { mta_sts: null, tls_rpt: null }), 'email.mta_sts email.tls_rpt'],
    [
      'an unsigned zone without CAA',
      dns({}, { dnssec: { ...SIGNED, signed: false, delegated: false, authenticated: false, matches: null }, caa: [] }),
      'email.dnssec email.caa',
    ],
    ['a zone whose signatures are wrong', dns({}, { dnssec: { ...SIGNED, authenticated: false, bogus: true } }), 'email.dnssec'],
  ] as const)
    it(`mail: ${name}`, () => {
      const failed = securityOf({ dns: report, tls: null, page: PAGE }).checks.filter(
        ({ id, passed }) => id.startsWith('email.') && !passed,
      )
      expect(failed.map(({ id }) => id).join(' ')).to.equal(fails)
    })

  for (const [name, report, fails] of [
    ['everything', TLS, ''],
    [
      'an untrusted certificate',
      tls({ trusted: false, trust_error: 'CERT_HAS_EXPIRED' }, { days_until_expiry: -3 }),
      'tls.trusted tls.expiry',
    ],
    ['N11 an intermediate that ends in 12 days, above a leaf of 79', tls({ chain: above(12) }, { days_until_expiry: 79 }), 'tls.expiry'],
    ['N11 an intermediate that has ended', tls({ chain: above(-2) }, { days_until_expiry: 79 }), 'tls.expiry'],
    ['N11 an intermediate that ends after the leaf', tls({ chain: above(20) }, { days_until_expiry: 15 }), ''],
    ['a week left', tls({}, { days_until_expiry: 7 }), 'tls.expiry'],
    [
      'TLS 1.2 alone',
      tls({ versions: { TLSv1: 'refused', 'TLSv1.1': 'refused', 'TLSv1.2': 'accepted', 'TLSv1.3': 'refused' } }),
      'tls.current',
    ],
    [
      'TLS 1.0 too',
      tls({ versions: { TLSv1: 'accepted', 'TLSv1.1': 'unknown', 'TLSv1.2': 'accepted', 'TLSv1.3': 'accepted' } }),
      'tls.outdated',
    ],
    [
      'nothing known of versions',
      tls({ versions: { TLSv1: 'unknown', 'TLSv1.1': 'unknown', 'TLSv1.2': 'accepted', 'TLSv1.3': 'unknown' } }),
      '',
    ],
    ['a short RSA key', tls({ chain: key('rsa', 1024) }), 'tls.key'],
    ['a curve', tls({ chain: key('ec', 256) }), ''],
    ['Ed25519', tls({ chain: key('ed25519', null) }), ''],
  ] as const)
    it(`TLS: ${name}`, () => {
      const failed = securityOf({ dns: null, tls: report, page: PAGE }).checks.filter(({ id, passed }) => id.startsWith('tls.') && !passed)
      expect(failed.map(({ id }) => id).join(' ')).to.equal(fails)
    })

  it('plain http: a redirect, none, and no answer', () => {
    const redirect = (page: Partial<SitePage>) =>
      securityOf({ dns: null, tls: TLS, page: { ...PAGE, ...page } }).checks.find(({ id }) => id === 'tls.redirect')?.passed
    expect([redirect({}), redirect({ http_leads_to: 'http://acme.test/' }), redirect({ http_leads_to: null })]).to.deep.equal([
      true,
      false,
      true,
    ])
  })

  it('a site without TLS fails its checks; a part that failed counts neither way', () => {
    const plain = securityOf({ dns: null, tls: null, page: { ...PAGE, url: 'http://acme.test/' } })
    expect(plain).to.deep.include({ grade: 'F' })
    expect(plain.areas).to.deep.equal({ tls: { grade: 'F', score: 0 }, email: null, headers: plain.areas.headers })
    const partly = securityOf({ dns: DNS, tls: TLS, page: null })
    expect(partly).to.deep.include({ grade: null, score: null })
    expect([partly.areas.tls?.grade, partly.areas.email?.grade]).to.deep.equal(['A', 'A'])
    expect(partly.areas.headers).to.equal(null)
    expect(securityOf({ dns: DNS, tls: null, page: null })).to.deep.include({ grade: null, score: null })
  })

  it('N4 an untrusted certificate keeps the whole at F though the page could not be looked at; trusted TLS alone is no grade', () => {
    expect(securityOf({ dns: DNS, tls: tls({ trusted: false }), page: null })).to.include({ grade: 'F', score: 49 })
    expect(securityOf({ dns: DNS, tls: tls({}, { days_until_expiry: 3 }), page: null })).to.include({ grade: null, score: null })
  })

  it('N11 the check of the end names the certificate that ends first', () => {
    const detail = (report: TlsReport) =>
      securityOf({ dns: null, tls: report, page: PAGE }).checks.find(({ id }) => id === 'tls.expiry')?.detail
    expect(detail(tls({ chain: above(12) }))).to.equal('12 days are left: the certificate above it, "Middle", ends first.')
    expect(detail(tls({ chain: above(-2) }))).to.equal('The certificate above it, "Middle", has ended.')
    expect(detail(tls({}, { days_until_expiry: 1 }))).to.equal('1 day is left.')
  })

  it('an untrusted certificate keeps the whole at F', () => {
    const verdict = securityOf({ dns: DNS, tls: tls({ trusted: false }), page: PAGE })
    expect(verdict).to.deep.include({ grade: 'F', score: 49 })
  })

  it('a page that https leads to by plain http keeps the whole at F, and look-ups that nobody answered count neither way', () => {
    const down = securityOf({ dns: DNS, tls: TLS, page: { ...PAGE, url: 'http://acme.test/' } })
    expect(down.grade).to.equal('F')
    const silent = securityOf({ dns: { ...DNS, dns: { ...DNS.dns, dkim_found: null, spf_record: null } }, tls: TLS, page: PAGE })
    expect(silent.checks.map(({ id }) => id)).not.to.include('email.dkim')
  })

  it('what nobody answered counts neither way', () => {
    const ids = (report: DnsReport, handshakes = TLS, page = PAGE) =>
      securityOf({ dns: report, tls: handshakes, page }).checks.map(({ id }) => id)
    const lost = (before: string[], after: string[]) => before.filter((id) => !after.includes(id)).join(' ')
    const all = ids(DNS)
    expect(lost(all, ids(dns({ mx_records: [] }, { mta_sts: null, tls_rpt: null, unanswered: ['dns.mx_records'] })))).to.equal(
      'email.mta_sts email.tls_rpt',
    )
    expect(lost(all, ids(dns({ mx_records: [] }, { unanswered: ['dns.mx_records'] })))).to.equal('')
    expect(lost(all, ids(dns({}, { mta_sts: null, unanswered: ['mta_sts'] })))).to.equal('email.mta_sts')
    expect(lost(all, ids(dns({}, { tls_rpt: null, unanswered: ['tls_rpt'] })))).to.equal('email.tls_rpt')
    expect(lost(all, ids(dns({}, { spf: null, unanswered: ['spf'] })))).to.equal('email.spf')
    expect(lost(all, ids(DNS, tls({ chain: [] }, { days_until_expiry: null })))).to.equal('tls.expiry tls.key')
    expect(lost(all, ids(DNS, TLS, { ...PAGE, http_leads_to: null, http_unknown: 'broke off' }))).to.equal('tls.redirect')
  })
})
