import type { DnsAnswer, DnsType } from './dns.js'

/** A foreign address that the guard accepted. */
export interface PublicAddress {
  /** The address in its normal form. */
  readonly url: string
  /** The resolved addresses of its host, each checked. */
  readonly addresses: readonly string[]
}

/** The guard, for addresses that `web` does not fetch. */
export interface AddressCheck {
  /**
   * Resolves and checks, as `web` does, a foreign address that a program will open by itself. Throws a `blocked` Fault
   * for one that is not allowed, `missing` for an unknown host. The name may resolve to other addresses later: let the
   * program connect to one of the returned addresses, or through the guard proxy.
   */
  assertPublic(url: string): Promise<PublicAddress>
}

export interface Certificate {
  readonly subject: Readonly<Record<string, string>>
  readonly issuer: Readonly<Record<string, string>>
  /** ISO 8601. */
  readonly validFrom: string
  readonly validTo: string
  readonly names: readonly string[]
  readonly protocol: string
  readonly cipher: string
  readonly trusted: boolean
  /** Why it is not trusted, as OpenSSL's code. */
  readonly reason: string | null
}

/** Options of a DNS query. */
export interface QueryOptions {
  /** Disables validation by the name server (CD, RFC 4035 3.2.2): a zone with invalid signatures is answered. */
  readonly unchecked?: boolean
}

/** Limits of a connection, and its kind of server. */
export interface ConnectOptions {
  /** Wall time of the connection in milliseconds, with waiting; default 30,000, at most the rest of the call. */
  readonly timeoutMs?: number
  /** Most bytes that the server may send, default 1 MiB. */
  readonly maxBytes?: number
  /** Most bytes of one line without its end, default 4,096. */
  readonly maxLine?: number
  /** Marks the first WHOIS query of a lookup, which connects to the operator's `net.whois` if that is set. */
  readonly firstWhois?: boolean
  /** Reuses a connection to the same host and port that an earlier call kept under this name, if there is one. */
  readonly session?: string
}

/** Options of a connection that is left open after the call. */
export interface KeepOptions {
  /** The state of the connection for the next call: its `resumed`. */
  readonly state?: string
  /**
   * The line that ends a conversation of this protocol (QUIT of SMTP), without its CRLF. It is sent when the time is
   * over, when the connection is evicted for another and when the gateway stops; not after an unexpected message or an
   * end of the connection by the server.
   */
  readonly closingLine?: string
}

/**
 * A connection of a line protocol. A server that exceeds the limits, closes the connection early or does not answer in
 * time ends it with a `blocked` Fault; every later call then throws the same. It is always closed with the call.
 */
export interface LineSocket {
  /** The actual host and port, which the operator may have set. */
  readonly host: string
  readonly port: number
  /**
   * The next line without its CRLF or LF, in UTF-8, or Latin-1 if the bytes are not valid UTF-8; null when the server
   * ended the connection. One read at a time.
   */
  readLine(): Promise<string | null>
  /** Everything up to the end of the connection, at most `maxBytes` (default the limit of the connection). */
  readAll(options?: { readonly maxBytes?: number }): Promise<string>
  /** Sends one line; its CRLF is added. Fault `invalid` for CR, LF or NUL in it (injection) and over 4,094 bytes. */
  write(text: string): Promise<void>
  /**
   * Starts TLS with the host as server name: after the reply to STARTTLS (RFC 3207), or at once on port 465. An
   * untrusted certificate is reported, not refused; bytes received before the handshake are refused.
   */
  startTls(): Promise<Certificate>
  /** Ends the connection at once; idempotent. */
  close(): void
  /** The `state` that the earlier call passed to `keep`; null for a new connection. */
  readonly resumed: string | null
  /**
   * Leaves the connection open after the call, for at most so many milliseconds (at most 10,000), for a `connect` with
   * the same `session`. Without a `session`, or with unread data, it is closed. It cannot be read or written
   * afterwards. Throws as `write` for a `closingLine` that is not one line.
   */
  keep(ms: number, options?: KeepOptions): void
}

export type TlsVersion = 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3'

/** One certificate of a chain. */
export interface ChainCertificate extends Pick<Certificate, 'subject' | 'issuer' | 'validFrom' | 'validTo' | 'names'> {
  /** Hexadecimal. */
  readonly serialNumber: string
  /** SHA-256 of the certificate, lower-case hexadecimal. */
  readonly fingerprint: string
  /** `rsa`, `ec`, `ed25519` and so on, and the key's size in bits; null if unknown. */
  readonly keyType: string | null
  readonly keyBits: number | null
}

/** The result of handshakes with a TLS server. */
export interface TlsInspection {
  /** `unknown`: no answer, or not supported by our TLS library. Old versions are offered with its weakest ciphers. */
  readonly versions: Readonly<Record<TlsVersion, 'accepted' | 'refused' | 'unknown'>>
  /** Negotiated by a modern client, or by one that accepts everything when that failed. */
  readonly protocol: string
  readonly cipher: string
  /** `h2` or `http/1.1`; null when the server selected none. */
  readonly alpn: string | null
  /** Starts with the server's own; includes the root only if the server sent it or it is known here. */
  readonly chain: readonly ChainCertificate[]
  /** The handshake included an OCSP response (RFC 6066 8), which is not checked. */
  readonly ocspStapled: boolean
  /** Whether a modern client trusts it: false also for what only an old client accepts. */
  readonly trusted: boolean
  /** Why it is not trusted, as OpenSSL's code. */
  readonly reason: string | null
}

/**
 * Network protocols other than HTTP: every address is checked as those of pages are. A target gets at most 5
 * connections a second, 2 at once, and 60 DNS queries a second with a burst of 60. Failures are Faults: `missing` for
 * an unknown host, `blocked` for a refused address, and `blocked` with `unavailable` for a target that did not answer.
 */
export interface NetServices {
  /** Records in the form of node:dns. */
  dns(name: string, type: string): Promise<unknown[]>
  /**
   * Records of any type with the name server's flags. An unknown name is an answer. Throws `blocked` with `unavailable`
   * when no name server had an answer, with the obstacle `server-failure` when they answered SERVFAIL.
   */
  query<T extends DnsType>(name: string, type: T, options?: QueryOptions): Promise<DnsAnswer<T>>
  /** The certificate that a host presents for its own name. */
  tls(host: string, port?: number): Promise<Certificate>
  /** Several handshakes with a host, default port 443. */
  inspectTls(host: string, port?: number): Promise<TlsInspection>
  /**
   * A connection to a mail server (25, 465, 587) or WHOIS server (43). The operator's `net.smtp_port` replaces 25.
   * Until it is closed it counts toward the two concurrent ones of its host and address.
   */
  connect(host: string, port: number, options?: ConnectOptions): Promise<LineSocket>
}
