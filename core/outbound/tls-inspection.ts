import { constants, X509Certificate } from 'node:crypto'
import { connect as secure, type ConnectionOptions, type DetailedPeerCertificate, type SecureVersion, type TLSSocket } from 'node:tls'
import type { ChainCertificate, TlsInspection, TlsVersion } from '../sdk/index.js'
import { certificateOf, checkNames, guarded, namesOf, ready } from './sockets.js'
import { isIP, type Socket } from 'node:net'
import type { Cancel } from '../runtime/cancel.js'
import { bareHost } from './allow.js'
import { RequestStopped } from './exchange.js'
import { codeOf } from '../problems/own-shortage.js'

/** OpenSSL verifies no longer chains (X509_VERIFY_PARAM_set_depth). */
const LONGEST = 100

/** The certificates that the peer presented, its own first, as long as each was issued by the next. */
function chainOf(socket: TLSSocket): readonly ChainCertificate[] {
  const chain: ChainCertificate[] = []
  const seen = new Set<DetailedPeerCertificate>()
  let next: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true)
  while (next !== undefined && Object.keys(next).length > 0 && !seen.has(next) && chain.length < LONGEST) {
    seen.add(next)
    chain.push({ ...namesOf(next), serialNumber: next.serialNumber, ...certificateFactsOf(next.raw) })
    // A root is its own issuer.
    next = next.issuerCertificate
  }
  return chain
}

function certificateFactsOf(raw: Buffer) {
  const certificate = new X509Certificate(raw)
  return { fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(), ...keyOf(certificate) }
}

/** Type and size of the key; null for a kind that OpenSSL does not support. */
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

const VERSIONS: readonly TlsVersion[] = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3']
/** The old ciphers, keys and renegotiation that OpenSSL still supports; never for a verdict on trust. */
const WEAKEST: ConnectionOptions = {
  ciphers: 'DEFAULT@SECLEVEL=0',
  secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT,
  minVersion: 'TLSv1',
}
/** Our own library does not support the version, or was built or configured without it. */
const OURS = /NO_PROTOCOLS_AVAILABLE|UNSUPPORTED_PROTOCOL_VERSION|INVALID_PROTOCOL_VERSION|INVALID_SECURE_PROTOCOL|NO_CIPHERS_AVAILABLE/
/** An alert, or the connection closed instead of an alert. */
const REFUSALS = /^(ERR_SSL_|ERR_OSSL_|EPROTO$|ECONNRESET$|EPIPE$)/

/** The outcome of a handshake. */
interface ShownHandshake {
  readonly socket: TLSSocket
  readonly ocspStapled: boolean
}

/**
 * Handshakes of several kinds with one host, each over a connection that `dial` opens; `roots` (PEM) replace the default ones. Rejects
 * as `dial` or the last kind of handshake does.
 */
export async function inspectTls(host: string, dial: () => Promise<Socket>, cancel: Cancel, roots?: string): Promise<TlsInspection> {
  const shake = async <T>(options: ConnectionOptions, read: (shown: ShownHandshake) => T): Promise<T> => {
    const plain = await dial()
    const stopped = cancel.onCancel(() => plain.destroy())
    try {
      return read(await shown(plain, host, roots === undefined ? options : { ...options, ca: roots }))
    } catch (error) {
      const { reason } = cancel
      throw reason === null ? error : new RequestStopped(reason)
    } finally {
      stopped()
      plain.destroy()
    }
  }
  const handshakeFacts = ({ socket, ocspStapled }: ShownHandshake) => ({ ...factsOf(socket), ocspStapled })
  const facts = await shake({}, handshakeFacts).catch(async (error: unknown) => {
    if (!REFUSALS.test(codeOf(error)) || cancel.cancelled) throw error
    const old = await shake(WEAKEST, handshakeFacts)
    return { ...old, trusted: false, reason: codeOf(error) }
  })
  const others = VERSIONS.filter((version) => version !== facts.protocol)
  const verdicts = await Promise.all(
    others.map(
      async (version) => [version, await accepts(() => shake({ ...WEAKEST, ...only(version) }, () => undefined), cancel)] as const,
    ),
  )
  const versions = {
    TLSv1: 'accepted',
    'TLSv1.1': 'accepted',
    'TLSv1.2': 'accepted',
    'TLSv1.3': 'accepted',
    ...Object.fromEntries(verdicts),
  } as const
  return { versions, ...facts }
}

async function accepts(attempt: () => Promise<void>, cancel: Cancel): Promise<'accepted' | 'refused' | 'unknown'> {
  try {
    await attempt()
    return 'accepted'
  } catch (error) {
    if (cancel.cancelled) throw error
    const code = codeOf(error)
    return REFUSALS.test(code) && !OURS.test(code) ? 'refused' : 'unknown'
  }
}

function only(version: SecureVersion): ConnectionOptions {
  return { minVersion: version, maxVersion: version }
}

async function shown(plain: Socket, host: string, options: ConnectionOptions): Promise<ShownHandshake> {
  const name = bareHost(host)
  // Missing in Node's types.
  const request: ConnectionOptions & { readonly requestOCSP: boolean } = {
    socket: plain,
    ...(isIP(name) === 0 ? { servername: name } : { host: name }),
    ALPNProtocols: ['h2', 'http/1.1'],
    requestOCSP: true,
    rejectUnauthorized: false,
    checkServerIdentity: checkNames,
    ...options,
  }
  const socket = guarded(secure(request))
  let ocspStapled = false
  socket.on('OCSPResponse', (response: Buffer | null) => (ocspStapled = response !== null && response.length > 0))
  await ready(socket, 'secureConnect')
  return { socket, ocspStapled }
}

function factsOf(socket: TLSSocket) {
  const certificate = certificateOf(socket)
  const { alpnProtocol } = socket
  return {
    protocol: socket.getProtocol() ?? '',
    cipher: socket.getCipher().name,
    alpn: typeof alpnProtocol === 'string' && alpnProtocol !== '' ? alpnProtocol : null,
    chain: chainOf(socket),
    trusted: certificate?.trusted ?? false,
    reason: certificate === null ? 'NO_CERTIFICATE' : certificate.reason,
  }
}
