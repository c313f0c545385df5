import type { ChainCertificate, Services } from '../../../core/sdk/index.js'
import type { TlsReport } from '../shapes/tls.js'

const DAY_MS = 86_400_000
const MOST_NAMES = 100
const MOST_CHAIN = 10

/**
 * TLS on port 443 of a host: with one handshake, or (`full`) with the accepted versions, its chain and OCSP stapling.
 * An untrusted certificate is reported. Throws a `missing` Fault for an unknown host, `blocked` for one that resolves
 * to an internal address or does not answer.
 */
export async function tlsOf(domain: string, depth: 'short' | 'full', ctx: Services): Promise<TlsReport> {
  return depth === 'full' ? await inspected(domain, ctx) : await shaken(domain, ctx)
}

async function shaken(domain: string, ctx: Services): Promise<TlsReport> {
  const shown = await ctx.net.tls(domain)
  return {
    ssl: {
      issuer: nameOf(shown.issuer),
      valid_to: shown.validTo,
      days_until_expiry: daysUntil(shown.validTo),
      protocol: shown.protocol,
      cipher_suite: shown.cipher,
    },
    tls: {
      trusted: shown.trusted,
      trust_error: shown.reason,
      versions: null,
      alpn: null,
      ocsp_stapled: null,
      names: shown.names.slice(0, MOST_NAMES),
      chain: [],
    },
  }
}

async function inspected(domain: string, ctx: Services): Promise<TlsReport> {
  const shown = await ctx.net.inspectTls(domain)
  const [own] = shown.chain
  return {
    ssl: {
      issuer: own === undefined ? null : nameOf(own.issuer),
      valid_to: own?.validTo ?? null,
      days_until_expiry: own === undefined ? null : daysUntil(own.validTo),
      protocol: shown.protocol === '' ? null : shown.protocol,
      cipher_suite: shown.cipher === '' ? null : shown.cipher,
    },
    tls: {
      trusted: shown.trusted,
      trust_error: shown.reason,
      versions: shown.versions,
      alpn: shown.alpn,
      ocsp_stapled: shown.ocspStapled,
      names: own?.names.slice(0, MOST_NAMES) ?? [],
      chain: shown.chain.slice(0, MOST_CHAIN).map(certificateOf),
    },
  }
}

function certificateOf({ subject, issuer, validFrom, validTo, keyType, keyBits, fingerprint }: ChainCertificate) {
  return {
    subject: nameOf(subject),
    issuer: nameOf(issuer),
    valid_from: validFrom,
    valid_to: validTo,
    key_type: keyType,
    key_bits: keyBits,
    fingerprint,
  }
}

/** Common name, else organisation; for an issuer both, since common names such as "R11" are not descriptive. */
function nameOf({ O: organisation, CN: common }: Readonly<Record<string, string>>): string | null {
  const names = [organisation, common].filter((name): name is string => name !== undefined && name !== '')
  return names.length === 0 ? null : [...new Set(names)].join(', ')
}

/** Whole days until an ISO 8601 date; null for an invalid one. */
export function daysUntil(date: string): number | null {
  const at = Date.parse(date)
  return Number.isNaN(at) ? null : Math.floor((at - Date.now()) / DAY_MS)
}
