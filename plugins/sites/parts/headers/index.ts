import type { DnsReport } from '../../shapes/dns.js'
import type { Check, SitePage } from '../../shapes/page.js'
import type { TlsReport } from '../../shapes/tls.js'

/** What security is judged by; null for a part that failed. */
export interface Examined {
  readonly dns: DnsReport | null
  readonly tls: TlsReport | null
  readonly page: SitePage | null
}

export interface Verdict {
  readonly grade: 'A' | 'B' | 'C' | 'D' | 'E' | 'F' | null
  readonly score: number | null
  readonly checks: Check[]
}

/** The grade of a domain. */
export function securityOf({ tls }: Examined): Verdict {
  const checks: Check[] =
    tls === null
      ? []
      : [{ id: 'tls.trusted', passed: tls.tls.trusted, weight: 10, detail: tls.tls.trust_error ?? 'The certificate is trusted.' }]
  return { grade: null, score: null, checks }
}
