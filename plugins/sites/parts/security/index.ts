import type { DnsReport } from '../../shapes/dns.js'
import type { SitePage } from '../../shapes/page.js'
import type { TlsReport } from '../../shapes/tls.js'
import { headerFindings } from '../headers/index.js'
import { emailFindings } from './email-findings.js'
import { pageTrustFindings, redirectFindings, tlsFindings, withoutTls } from './tls-findings.js'
import { keepsAtWorst, weigh, type Finding, type Grade, type Verdict } from './verdict.js'

/** Input of the security grade; null for a failed part, which is not counted. */
interface Examined {
  readonly dns: DnsReport | null
  readonly tls: TlsReport | null
  readonly page: SitePage | null
}

interface SecurityVerdict extends Verdict {
  readonly areas: Readonly<Record<'tls' | 'email' | 'headers', { readonly grade: Grade; readonly score: number } | null>>
}

/** The grade of a domain, and of each area by itself. */
export function securityOf({ dns, tls, page }: Examined): SecurityVerdict {
  const findings: readonly Finding[] = [
    ...(tls !== null ? tlsFindings(tls) : page === null || page.url.startsWith('https:') ? [] : withoutTls()),
    ...(page === null
      ? []
      : [
          ...(tls?.tls.trusted === false ? [] : pageTrustFindings(page)),
          ...redirectFindings(page),
          ...headerFindings(page.headers, page.url.startsWith('https:')),
        ]),
    ...(dns === null ? [] : emailFindings(dns)),
  ]
  const areaOf = (area: string) => {
    const { grade, score } = weigh(findings.filter(({ id }) => id.startsWith(`${area}.`)))
    return grade === null || score === null ? null : { grade, score }
  }
  const whole = weigh(findings)
  // TLS and email alone do not make a grade, unless a failed check limits it to the worst regardless of the page.
  const graded = page === null && !keepsAtWorst(findings) ? { ...whole, grade: null, score: null } : whole
  return { ...graded, areas: { tls: areaOf('tls'), email: areaOf('email'), headers: areaOf('headers') } }
}
