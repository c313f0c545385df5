import type { SitePage } from '../../shapes/page.js'
import type { TlsReport } from '../../shapes/tls.js'
import type { Finding } from './verdict.js'
import type { CheckId } from './weights.js'

const LEAST_DAYS = 14
/** A page that everybody on the way can read and change is graded F, whatever else is well. */
const PLAIN_AT_MOST = 49
const LEAST_BITS = { rsa: 2048, dsa: 2048, ec: 256 } as const
const OLD = ['TLSv1', 'TLSv1.1'] as const
const IDS: readonly CheckId[] = ['tls.trusted', 'tls.expiry', 'tls.current', 'tls.outdated', 'tls.key']

/** What handshakes say; null for a server that could not be looked at. */
export function tlsFindings({ ssl, tls }: TlsReport): Finding[] {
  const days = ssl.days_until_expiry
  return [
    {
      id: 'tls.trusted',
      passed: tls.trusted,
      detail: tls.trusted ? 'The certificate is trusted.' : `The certificate is not trusted: ${tls.trust_error ?? 'unknown reason'}.`,
    },
    {
      id: 'tls.expiry',
      passed: days !== null && days >= LEAST_DAYS,
      detail:
        days === null
          ? 'The end of the certificate is not known.'
          : days < 0
            ? 'The certificate has ended.'
            : `${String(days)} days are left.`,
    },
    ...versionFindings(tls.versions),
    keyFinding(tls.chain[0]),
  ]
}

/** A site that answers by plain http alone. */
export function withoutTls(): Finding[] {
  return IDS.map((id) => ({ id, passed: false, detail: 'Nothing answers by TLS on port 443.' }))
}

/** Versions of which nothing is known count neither way. */
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

function keyFinding(own: TlsReport['tls']['chain'][number] | undefined): Finding {
  const { key_type: type = null, key_bits: bits = null } = own ?? {}
  const least = type === 'rsa' || type === 'dsa' || type === 'ec' ? LEAST_BITS[type] : null
  const passed = least === null ? type !== null : bits !== null && bits >= least
  return {
    id: 'tls.key',
    passed,
    detail: type === null ? 'The key is not known.' : `${type}${bits === null ? '' : `, ${String(bits)} bits`}.`,
  }
}

/** Whether plain http leads to https. */
export function redirectFinding({ url, http_leads_to: leadsTo }: SitePage): Finding {
  const id = 'tls.redirect'
  if (url.startsWith('http:')) return { id, passed: false, detail: 'The page is served by plain http.', atMost: PLAIN_AT_MOST }
  if (leadsTo === null) return { id, passed: true, detail: 'Plain http is not answered.' }
  const passed = leadsTo.startsWith('https:')
  return { id, passed, detail: passed ? 'Plain http leads to https.' : 'Plain http is answered without a redirect to https.' }
}
