import { nullable, oneOf, Type, type Static } from '../../../core/sdk/index.js'

const text = (description: string) => nullable(Type.String({ description }))
const version = (name: string) => ({ ...oneOf('accepted', 'refused', 'unknown'), description: name })

/** The certificate and the negotiated parameters, as in mode overview. */
export const sslShape = Type.Object(
  {
    issuer: text('Who issued the certificate.'),
    valid_to: text('When the certificate ends, ISO 8601.'),
    days_until_expiry: nullable(Type.Integer({ description: 'Whole days until then; negative when it has ended.' })),
    protocol: text('Negotiated version, such as TLSv1.3.'),
    cipher_suite: text('Negotiated cipher suite.'),
  },
  { description: 'TLS on port 443. Null in modes without it, and when nothing answers there.' },
)

const certificate = Type.Object({
  subject: text('Common name, else organisation.'),
  issuer: text('Common name of the issuer, else its organisation.'),
  valid_from: Type.String(),
  valid_to: Type.String(),
  key_type: text('rsa, ec and so on.'),
  key_bits: nullable(Type.Integer()),
  fingerprint: Type.String({ description: 'SHA-256, hexadecimal.' }),
})

/** Additional TLS fields of mode security. */
export const tlsDetails = Type.Object(
  {
    trusted: Type.Boolean({ description: 'A client of today accepts the certificate for this name.' }),
    trust_error: text("Why not, in OpenSSL's word, such as CERT_HAS_EXPIRED."),
    versions: nullable(
      Type.Object(
        { TLSv1: version('TLS 1.0'), 'TLSv1.1': version('TLS 1.1'), 'TLSv1.2': version('TLS 1.2'), 'TLSv1.3': version('TLS 1.3') },
        { description: 'Versions that the server accepts; null when only one handshake was made.' },
      ),
    ),
    alpn: text('h2 or http/1.1; null when the server chose none.'),
    ocsp_stapled: nullable(Type.Boolean()),
    names: Type.Array(Type.String(), { description: 'Names in the certificate, at most 100.' }),
    chain: Type.Array(certificate, { description: "The server's own certificate first." }),
  },
  { description: 'Mode security: TLS in detail.' },
)

export const tlsReportShape = Type.Object({ ssl: sslShape, tls: tlsDetails })

export type TlsReport = Static<typeof tlsReportShape>
