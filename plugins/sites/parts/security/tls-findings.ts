import type { SitePage } from '../../shapes/page.js'
import type { TlsReport } from '../../shapes/tls.js'
import { daysUntil } from '../tls.js'
import type { Finding } from './verdict.js'
import type { CheckId } from './weights.js'

const LEAST_DAYS = 14
/** A page that can be read and changed in transit is graded F, regardless of everything else. */
const PLAIN_AT_MOST = 49
const LEAST_BITS = { rsa: 2048, dsa: 2048, ec: 256 } as const
const OLD = ['TLSv1', 'TLSv1.1'] as const
const IDS: readonly CheckId[] = ['tls.trusted', 'tls.expiry', 'tls.current', 'tls.outdated', 'tls.key']

/** Findings of handshakes; unknown values are not counted. */
export function tlsFindings({ ssl, tls }: TlsReport): Finding[] {
  const end = firstEnd({ ssl, tls })
  return [
    {
      id: 'tls.trusted',
      passed: tls.trusted,
      detail: tls.trusted ? 'The certificate is trusted.' : `The certificate is not trusted: ${tls.trust_error ?? 'unknown reason'}.`,
    },
    ...(end === null ? [] : [{ id: 'tls.expiry', passed: end.days >= LEAST_DAYS, detail: detailOf(end) } as const]),
    ...versionFindings(tls.versions),
    ...keyFindings(tls.chain[0]),
  ]
}

interface End {
  readonly days: number
  /** Name of an issuing certificate in the chain. */
  readonly issuer: string | null
}

/** The earliest expiry in the chain: clients reject it afterwards. Null when unknown. */
function firstEnd({ ssl, tls }: TlsReport): End | null {
  const own = ssl.days_until_expiry
  const above = tls.chain.slice(1).flatMap(({ valid_to: end, subject }): End[] => {
    const days = daysUntil(end)
    return days === null ? [] : [{ days, issuer: subject ?? 'without a name' }]
  })
  const ends = own === null ? above : [{ days: own, issuer: null }, ...above]
  return ends.reduce<End | null>((first, each) => (first === null || each.days < first.days ? each : first), null)
}

function detailOf({ days, issuer }: End): string {
  const left = `${String(days)} ${days === 1 ? 'day is' : 'days are'} left`
  if (issuer === null) return days < 0 ? 'The certificate has ended.' : `${left}.`
  return days < 0 ? `The certificate above it, "${issuer}", has ended.` : `${left}: the certificate above it, "${issuer}", ends first.`
}

/** The page's host may differ from that of the handshakes. */
export function pageTrustFindings({ host, untrusted }: SitePage): Finding[] {
  return untrusted === null ? [] : [{ id: 'tls.trusted', passed: false, detail: `The page of ${host} was read although ${untrusted}.` }]
}

/** A site that answers only by plain http. */
export function withoutTls(): Finding[] {
  return IDS.map((id) => ({ id, passed: false, detail: 'Nothing answers by TLS on port 443.' }))
}

/** Unknown versions are not counted. */
function versionFindings(versions: TlsReport['tls']['versions']): Finding[] {
  if (versions === null) return []
  const current = versions['TLSv1.3']
  const accepted = OLD.filter((version) => versions[version] === 'accepted')
  const known = OLD.some((version) => versions[version] !== 'unknown')
  return [
    ...(current === 'unknown' ? [] : [{ id: 'tls.current', passed: current === 'accepted', detail: `TLS 1.3 is ${current}.` } as const]),
    ...(known
      ? [
          {
            id: 'tls.outdated',
            passed: accepted.length === 0,
            detail: accepted.length === 0 ? 'TLS 1.0 and 1.1 are refused.' : `Accepted: ${accepted.join(' and ')}.`,
          } as const,
        ]
      : []),
  ]
}

function keyFindings(own: TlsReport['tls']['chain'][number] | undefined): Finding[] {
  const { key_type: type = null, key_bits: bits = null } = own ?? {}
  const least = type === 'rsa' || type === 'dsa' || type === 'ec' ? LEAST_BITS[type] : null
  if (type === null || (least !== null && bits === null)) return []
  const passed = least === null || (bits !== null && bits >= least)
  return [{ id: 'tls.key', passed, detail: `${type}${bits === null ? '' : `, ${String(bits)} bits`}.` }]
}

/** Whether plain http redirects to https; empty when unknown. */
export function redirectFindings({ url, http_leads_to: leadsTo, http_unknown: unknown }: SitePage): Finding[] {
  const id = 'tls.redirect'
  if (url.startsWith('http:')) return [{ id, passed: false, detail: 'The page is served by plain http.', atMost: PLAIN_AT_MOST }]
  if (unknown !== null) return []
  if (leadsTo === null) return [{ id, passed: true, detail: 'Plain http is not answered.' }]
  const passed = leadsTo.startsWith('https:')
  return [{ id, passed, detail: passed ? 'Plain http leads to https.' : 'Plain http is answered without a redirect to https.' }]
}
