import type { DnsReport } from '../../shapes/dns.js'
import type { Finding } from './verdict.js'

/** Findings of DNS on the protection of mail and of the zone itself. Unanswered queries are not counted. */
export function emailFindings(report: DnsReport): Finding[] {
  return [
    ...spfFindings(report),
    ...dmarcFindings(report),
    ...dkimFindings(report),
    ...transportFindings(report),
    ...(report.dnssec === null ? [] : [dnssecFinding(report.dnssec)]),
    ...caaFindings(report.caa),
  ]
}

/** Whether the domain receives mail from other servers; null when unknown. */
function takesMail({ dns, unanswered }: DnsReport): boolean | null {
  return unanswered.includes('dns.mx_records') ? null : dns.mx_records.some(({ host }) => host !== '.' && host !== '')
}

/** MTA-STS and TLS-RPT, which a domain without mail does not need. */
function transportFindings(report: DnsReport): Finding[] {
  const { mta_sts: sts, tls_rpt: rpt, unanswered } = report
  const mail = takesMail(report)
  const finding = (id: 'email.mta_sts' | 'email.tls_rpt', present: boolean, detail: string): Finding[] => {
    if (mail === false) return [{ id, passed: true, detail: 'The domain takes no mail.' }]
    if (unanswered.includes(id.slice('email.'.length)) || (mail === null && !present)) return []
    return [{ id, passed: present, detail }]
  }
  return [
    ...finding(
      'email.mta_sts',
      sts?.mode === 'enforce',
      sts === null ? 'There is no MTA-STS policy.' : `The policy is ${sts.mode ?? 'not readable'}.`,
    ),
    ...finding('email.tls_rpt', rpt !== null, rpt === null ? 'There is no TLS-RPT record.' : 'There is a TLS-RPT record.'),
  ]
}

function caaFindings(caa: DnsReport['caa']): Finding[] {
  if (caa === null) return []
  const passed = caa.length > 0
  return [{ id: 'email.caa', passed, detail: passed ? 'There are CAA records.' : 'There are no CAA records.' }]
}

/** `v=spf1 -all` alone: nobody may send. */
function sendsNothing({ dns }: DnsReport): boolean {
  return /^v=spf1\s+-all\s*$/i.test(dns.spf_record ?? '')
}

function spfFindings({ dns, spf, unanswered }: DnsReport): Finding[] {
  if (dns.has_spf === null) return []
  if (!dns.has_spf) {
    const detail = 'There is no SPF record.'
    return [
      { id: 'email.spf', passed: false, detail },
      { id: 'email.spf_all', passed: false, detail },
    ]
  }
  const all = spf?.all ?? /(?:^|\s)([-~?+]?all)(?:\s|$)/i.exec(dns.spf_record ?? '')?.[1] ?? null
  const valid = spf?.valid ?? true
  return [
    ...(unanswered.includes('spf')
      ? []
      : [
          {
            id: 'email.spf',
            passed: valid,
            detail: valid ? 'The SPF record is valid.' : (spf?.problems[0] ?? 'The SPF record is not valid.'),
          } as const,
        ]),
    {
      id: 'email.spf_all',
      passed: all === '-all' || all === '~all',
      detail: all === null ? 'SPF does not end in all.' : `SPF ends in ${all}.`,
    },
  ]
}

function dmarcFindings({ dns, dmarc }: DnsReport): Finding[] {
  if (dns.has_dmarc === null) return []
  const policy = dmarc?.policy ?? dns.dmarc_policy
  const percent = dmarc?.percent ?? 100
  const strong = policy === 'quarantine' || policy === 'reject'
  return [
    { id: 'email.dmarc', passed: dns.has_dmarc, detail: dns.has_dmarc ? 'There is a DMARC record.' : 'There is no DMARC record.' },
    {
      id: 'email.dmarc_policy',
      passed: dns.has_dmarc && strong && percent === 100,
      detail: policy === null ? 'DMARC states no policy.' : `The policy is ${policy}${percent === 100 ? '' : ` for ${String(percent)} %`}.`,
    },
  ]
}

function dkimFindings(report: DnsReport): Finding[] {
  const { dns } = report
  const id = 'email.dkim'
  if (sendsNothing(report)) return [{ id, passed: true, detail: 'The domain sends no mail.' }]
  if (dns.dkim_found === null) return []
  const keys = `Keys at ${dns.dkim_selectors.map(({ selector }) => selector).join(', ')}.`
  return [{ id, passed: dns.dkim_found, detail: dns.dkim_found ? keys : 'None of the usual selectors has a key.' }]
}

function dnssecFinding({ signed, delegated, matches, bogus }: NonNullable<DnsReport['dnssec']>): Finding {
  const passed = signed && delegated && !bogus
  const detail = passed
    ? 'The zone is signed.'
    : signed && delegated
      ? matches === false
        ? 'No DS record matches a key.'
        : 'The signatures of the zone are wrong.'
      : signed
        ? 'The delegation is not signed.'
        : 'The zone is not signed.'
  return { id: 'email.dnssec', passed, detail }
}
