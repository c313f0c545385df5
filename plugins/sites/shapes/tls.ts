import { nullable, oneOf, Type, type Static } from '../../../core/sdk/index.js'

const text = (description: string) => nullable(Type.String({ description }))
const version = (name: string) => ({ ...oneOf('accepted', 'refused', 'unknown'), description: name })

/** The certificate and the negotiated parameters, as in mode overview. */
export const sslShape = Type.Object(
  {
    issuer: text('Issuer of the certificate.'),
    valid_to: text('Expiry time of the certificate, ISO 8601.'),
    days_until_expiry: nullable(Type.Integer({ description: 'Whole days until the certificate expires; negative once it has expired.' })),
    protocol: text('Negotiated TLS version, such as TLSv1.3.'),
    cipher_suite: text('Negotiated cipher suite.'),
  },
  { description: 'TLS on port 443. Null in modes without it, and when nothing answers there.' },
)

const certificate = Type.Object({
  subject: text('Common name, otherwise organisation.'),
  issuer: text('Common name of the issuer, otherwise its organisation.'),
  valid_from: Type.String(),
  valid_to: Type.String(),
  key_type: text('rsa, ec and so on.'),
  key_bits: nullable(Type.Integer()),
  fingerprint: Type.String({ description: 'SHA-256 fingerprint in hexadecimal.' }),
})

/** Additional TLS fields of mode security. */
export const tlsDetails = Type.Object(
  {
    trusted: Type.Boolean({ description: 'Whether a current client accepts the certificate for this name.' }),
    trust_error: text('OpenSSL error code if it does not, such as CERT_HAS_EXPIRED.'),
    versions: nullable(
      Type.Object(
        { TLSv1: version('TLS 1.0'), 'TLSv1.1': version('TLS 1.1'), 'TLSv1.2': version('TLS 1.2'), 'TLSv1.3': version('TLS 1.3') },
        { description: 'Whether the server accepts each TLS version; null when only one handshake was made.' },
      ),
    ),
    alpn: text('Protocol chosen by ALPN: h2 or http/1.1; null when the server chose none.'),
    ocsp_stapled: nullable(Type.Boolean()),
    names: Type.Array(Type.String(), { description: 'Names in the certificate, at most 100.' }),
    chain: Type.Array(certificate, { description: "Certificate chain, the server's own certificate first." }),
  },
  { description: 'Mode security: TLS in detail.' },
)

export const tlsReportShape = Type.Object({ ssl: sslShape, tls: tlsDetails })

export type TlsReport = Static<typeof tlsReportShape>
