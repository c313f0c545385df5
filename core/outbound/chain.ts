import { X509Certificate } from 'node:crypto'
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls'
import type { ChainCertificate } from '../sdk/index.js'
import { namesOf } from './certificate.js'

/** OpenSSL verifies no longer chains (X509_VERIFY_PARAM_set_depth). */
const LONGEST = 100

/** The certificates that the peer presented, its own first, as long as each was issued by the next. */
export function chainOf(socket: TLSSocket): readonly ChainCertificate[] {
  const chain: ChainCertificate[] = []
  const seen = new Set<DetailedPeerCertificate>()
  let next: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true)
  while (next !== undefined && Object.keys(next).length > 0 && !seen.has(next) && chain.length < LONGEST) {
    seen.add(next)
    chain.push({ ...namesOf(next), serialNumber: next.serialNumber, ...factsOf(next.raw) })
    // A root is its own issuer.
    next = next.issuerCertificate
  }
  return chain
}

function factsOf(raw: Buffer) {
  const certificate = new X509Certificate(raw)
  return { fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(), ...keyOf(certificate) }
}

/** Type and size of the key; null for a kind that OpenSSL does not know. */
function keyOf(certificate: X509Certificate): { readonly keyType: string | null; readonly keyBits: number | null } {
  try {
    const { asymmetricKeyType = null, asymmetricKeyDetails } = certificate.publicKey
    const { modulusLength, namedCurve } = asymmetricKeyDetails ?? {}
    return { keyType: asymmetricKeyType, keyBits: modulusLength ?? CURVE_BITS.get(namedCurve ?? asymmetricKeyType ?? '') ?? null }
  } catch {
    return { keyType: null, keyBits: null }
  }
}

const CURVE_BITS: ReadonlyMap<string, number> = new Map([
  ['prime256v1', 256],
  ['secp384r1', 384],
  ['secp521r1', 521],
  ['secp256k1', 256],
  ['ed25519', 256],
  ['ed448', 456],
])
