import { checkServerIdentity, type PeerCertificate, type TLSSocket } from 'node:tls'
import type { Certificate } from '../sdk/index.js'

/** The peer's certificate, trusted or not; null when it presented none. */
export function certificateOf(socket: TLSSocket): Certificate | null {
  const peer = socket.getPeerCertificate(false)
  if (Object.keys(peer).length === 0) return null
  const reason: unknown = socket.authorizationError
  return {
    ...namesOf(peer),
    protocol: socket.getProtocol() ?? '',
    cipher: socket.getCipher().name,
    trusted: socket.authorized,
    reason: socket.authorized ? null : word(reason),
  }
}

/** Node's host name check by the subject alternative names only (RFC 9525 6.3): the common name is ignored. */
export function checkNames(host: string, peer: PeerCertificate): Error | undefined {
  const error = checkServerIdentity(host, peer)
  if (error !== undefined || /(?:^|, )(?:DNS|IP Address):/.test(peer.subjectaltname ?? '')) return error
  return Object.assign(new Error('the certificate has no subject alternative name'), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
}

/** Subject, issuer, validity and names of a certificate. */
export function namesOf(peer: PeerCertificate): Pick<Certificate, 'subject' | 'issuer' | 'validFrom' | 'validTo' | 'names'> {
  return {
    subject: fields(peer.subject),
    issuer: fields(peer.issuer),
    validFrom: iso(peer.valid_from),
    validTo: iso(peer.valid_to),
    names: (peer.subjectaltname ?? '').split(', ').flatMap((name) => (name.startsWith('DNS:') ? [name.slice(4)] : [])),
  }
}

function fields(name: PeerCertificate['subject']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(name).map(([key, value]: [string, unknown]) => [key, Array.isArray(value) ? value.join(', ') : String(value)]),
  )
}

function iso(date: string): string {
  const time = Date.parse(date)
  return Number.isNaN(time) ? '' : new Date(time).toISOString()
}

function word(reason: unknown): string {
  if (typeof reason === 'string') return reason
  return reason instanceof Error && 'code' in reason ? String(reason.code) : 'UNTRUSTED'
}
