/** One line of the grading table of mode security. */
export interface Weight {
  readonly id: string
  readonly area: 'tls' | 'email' | 'headers'
  readonly weight: number
  /** Condition to pass. */
  readonly passes: string
  /** Maximum score when it fails. */
  readonly atMost?: number
}

/** All checks and their weights, 100 in total; README.md lists them. */
export const WEIGHTS = [
  { id: 'tls.trusted', area: 'tls', weight: 10, passes: 'a client of today accepts the certificate for the name', atMost: 49 },
  { id: 'tls.expiry', area: 'tls', weight: 3, passes: 'the certificate is good for 14 days or more' },
  { id: 'tls.current', area: 'tls', weight: 4, passes: 'TLS 1.3 is accepted' },
  { id: 'tls.outdated', area: 'tls', weight: 6, passes: 'TLS 1.0 and 1.1 are refused' },
  { id: 'tls.key', area: 'tls', weight: 3, passes: 'the key has 2,048 bits (RSA) or 256 bits (elliptic curves) or more' },
  { id: 'tls.redirect', area: 'tls', weight: 6, passes: 'plain http leads to https, or is not answered' },
  { id: 'email.spf', area: 'email', weight: 6, passes: 'one SPF record that receivers can evaluate' },
  { id: 'email.spf_all', area: 'email', weight: 3, passes: 'SPF ends in -all or ~all' },
  { id: 'email.dmarc', area: 'email', weight: 5, passes: 'a DMARC record' },
  { id: 'email.dmarc_policy', area: 'email', weight: 5, passes: 'DMARC says quarantine or reject, for all mail' },
  { id: 'email.dkim', area: 'email', weight: 3, passes: 'a DKIM key below a usual selector, or a domain that sends no mail' },
  { id: 'email.mta_sts', area: 'email', weight: 1, passes: 'an MTA-STS policy that is enforced, or a domain that takes no mail' },
  { id: 'email.tls_rpt', area: 'email', weight: 1, passes: 'a TLS-RPT record, or a domain that takes no mail' },
  { id: 'email.dnssec', area: 'email', weight: 2, passes: 'the zone is signed and its delegation too' },
  { id: 'email.caa', area: 'email', weight: 1, passes: 'CAA says who may issue certificates' },
  { id: 'headers.hsts', area: 'headers', weight: 6, passes: 'Strict-Transport-Security with a max-age of 180 days or more, by https' },
  { id: 'headers.hsts_subdomains', area: 'headers', weight: 2, passes: 'it says includeSubDomains' },
  { id: 'headers.hsts_preload', area: 'headers', weight: 1, passes: 'it says preload, includeSubDomains and a year or more' },
  {
    id: 'headers.csp',
    area: 'headers',
    weight: 7,
    passes: 'Content-Security-Policy that limits scripts (script-src or default-src, not to everywhere)',
  },
  {
    id: 'headers.csp_inline',
    area: 'headers',
    weight: 4,
    passes: "it allows no inline scripts: no 'unsafe-inline', or a nonce or hash that overrides it",
  },
  { id: 'headers.csp_eval', area: 'headers', weight: 1, passes: "it allows no eval: no 'unsafe-eval'" },
  {
    id: 'headers.csp_base',
    area: 'headers',
    weight: 1,
    passes: "it limits base-uri and plug-ins (object-src or default-src 'none' or 'self')",
  },
  {
    id: 'headers.framing',
    area: 'headers',
    weight: 4,
    passes: 'X-Frame-Options DENY or SAMEORIGIN, or frame-ancestors that names who may frame',
  },
  { id: 'headers.nosniff', area: 'headers', weight: 4, passes: 'X-Content-Type-Options: nosniff' },
  { id: 'headers.referrer', area: 'headers', weight: 3, passes: 'Referrer-Policy that keeps paths from other sites' },
  { id: 'headers.permissions', area: 'headers', weight: 2, passes: 'Permissions-Policy with at least one feature' },
  { id: 'headers.opener', area: 'headers', weight: 1, passes: 'Cross-Origin-Opener-Policy other than unsafe-none' },
  { id: 'headers.embedder', area: 'headers', weight: 1, passes: 'Cross-Origin-Embedder-Policy require-corp or credentialless' },
  { id: 'headers.resource', area: 'headers', weight: 1, passes: 'Cross-Origin-Resource-Policy same-origin or same-site' },
  {
    id: 'headers.cookies',
    area: 'headers',
    weight: 2,
    passes: 'each cookie is Secure and has SameSite, those of sessions HttpOnly; or there are none',
  },
  { id: 'headers.banner', area: 'headers', weight: 1, passes: 'no header names a product with its version' },
] as const satisfies readonly Weight[]

export type CheckId = (typeof WEIGHTS)[number]['id']

/** Minimum score of each grade; below the last it is F. */
export const GRADES = [
  ['A', 90],
  ['B', 80],
  ['C', 70],
  ['D', 60],
  ['E', 50],
] as const
