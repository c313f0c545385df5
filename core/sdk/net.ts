import type { DnsAnswer, DnsType } from './dns.js'

/** A foreign address that the guard let pass. */
export interface PublicAddress {
  /** The address in its normal form. */
  readonly url: string
  /** What its host stands for, each checked. */
  readonly addresses: readonly string[]
}

/** The guard, for addresses that `web` does not fetch. */
export interface AddressCheck {
  /**
   * Looks up and checks, as `web` does, a foreign address that a program will open by itself. Throws a `blocked` Fault for one that may not be
   * reached, `missing` for an unknown host. The name may stand for others a moment later: have the program connect to one of the addresses, or
   * through the guard proxy.
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
  /** Why it is not trusted, in OpenSSL's word. */
  readonly reason: string | null
}

/** How a name server is asked. */
export interface QueryOptions {
  /** The name server shall not validate (the CD bit, RFC 4035 3.2.2): a zone whose signatures are wrong is answered then. */
  readonly unchecked?: boolean
}

/** Limits of a connection, and which server is meant. */
export interface ConnectOptions {
  /** Wall time of the whole connection in milliseconds, waiting and connecting included; default 30,000, at most what is left of the call. */
  readonly timeoutMs?: number
  /** Bytes the server may send in all, default 1 MiB. */
  readonly maxBytes?: number
  /** Bytes of one line without its end, default 4,096. */
  readonly maxLine?: number
  /** This asks the first WHOIS server of a look-up: the operator's `net.whois` is connected to instead of `host` and `port` when it is set. */
  readonly firstWhois?: boolean
  /** Takes up the connection to the same host and port that an earlier call left open under this name (`keep`), where there is one. */
  readonly session?: string
}

/** How a connection is left open behind the call. */
export interface KeepOptions {
  /** What the next call must know of the connection: its `resumed`. */
  readonly state?: string
  /**
   * The line that ends a conversation of this protocol (QUIT of SMTP), without its CRLF. It is sent when the time is over, when the connection makes room
   * for another and when the gateway stops; not once the server has said something unasked or has closed the connection.
   */
  readonly closingLine?: string
}

/**
 * A connection that speaks in lines. A server that goes beyond the limits, breaks off or is silent too long ends it with a `blocked` Fault;
 * every later call then throws the same. It is closed with the call in any case.
 */
export interface LineSocket {
  /** Host and port that were connected to, which the operator may have set. */
  readonly host: string
  readonly port: number
  /** The next line without its CRLF or LF, in UTF-8 or, where the bytes are none, Latin-1; null when the server ended the connection. One read at a time. */
  readLine(): Promise<string | null>
  /** Everything up to the end of the connection, at most `maxBytes` (default what the connection allows). */
  readAll(options?: { readonly maxBytes?: number }): Promise<string>
  /** Sends one line; its CRLF is added. Throws Fault `invalid` for CR, LF or NUL in it (command injection) and for more than 4,094 bytes. */
  write(text: string): Promise<void>
  /**
   * TLS from here on, with the host as server name: after the reply to STARTTLS (RFC 3207), or at once on port 465. An untrusted certificate is
   * reported, not refused; bytes that came before the handshake are refused.
   */
  startTls(): Promise<Certificate>
  /** Ends the connection at once; may be called again. */
  close(): void
  /** The `state` that the call which left the connection open gave to `keep`; null for a new connection. */
  readonly resumed: string | null
  /**
   * Leaves the connection open behind the call, for at most so many milliseconds (10,000 are the most), to be taken up by a `connect` with the same
   * `session`. Without a `session`, or with something unread, it is closed. Nothing can be read or written afterwards. Throws as `write` for a
   * `closingLine` that is not one line.
   */
  keep(ms: number, options?: KeepOptions): void
}

export type TlsVersion = 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3'

/** One certificate of a chain. */
export interface ChainCertificate {
  readonly subject: Readonly<Record<string, string>>
  readonly issuer: Readonly<Record<string, string>>
  /** ISO 8601. */
  readonly validFrom: string
  readonly validTo: string
  readonly names: readonly string[]
  /** Hexadecimal. */
  readonly serialNumber: string
  /** SHA-256 of the certificate, lower-case hexadecimal. */
  readonly fingerprint: string
  /** `rsa`, `ec`, `ed25519` and so on, and the key's size in bits; null where they cannot be told. */
  readonly keyType: string | null
  readonly keyBits: number | null
}

/** What handshakes tell of a TLS server. */
export interface TlsInspection {
  /** `unknown`: no answer, or our own TLS library cannot ask. The old ones are offered with the weakest ciphers it has. */
  readonly versions: Readonly<Record<TlsVersion, 'accepted' | 'refused' | 'unknown'>>
  /** Negotiated by a client of today, or by one that takes anything when that failed. */
  readonly protocol: string
  readonly cipher: string
  /** `h2` or `http/1.1`; null when the server chose none. */
  readonly alpn: string | null
  /** The server's own first; with the root only when it was sent or is known here. */
  readonly chain: readonly ChainCertificate[]
  /** An OCSP answer came with the handshake (RFC 6066 8); it is not checked. */
  readonly ocspStapled: boolean
  /** The verdict of a client of today: false too for what only an old client takes. */
  readonly trusted: boolean
  /** Why it is not trusted, in OpenSSL's word. */
  readonly reason: string | null
}

/**
 * The network beyond HTTP: every address is checked as those of pages are, and a target gets at most 5 connections a second, 2 at once, and
 * 60 DNS questions a second, 60 of them at once after a rest. Failures are Faults: `missing` for an unknown host, `blocked` for a refused address and, `unavailable`, for a
 * target that did not answer.
 */
export interface NetServices {
  /** Records in the form of node:dns. */
  dns(name: string, type: string): Promise<unknown[]>
  /**
   * Records of any type with what the name server says of them. An unknown name is an answer; `blocked` and `unavailable` when no server could tell:
   * with the obstacle `server-failure` when they said so.
   */
  query<T extends DnsType>(name: string, type: T, options?: QueryOptions): Promise<DnsAnswer<T>>
  /** The certificate a host shows for its own name. */
  tls(host: string, port?: number): Promise<Certificate>
  /** Several handshakes with a host, default port 443. */
  inspectTls(host: string, port?: number): Promise<TlsInspection>
  /**
   * A connection to a mail server (25, 465, 587) or WHOIS server (43). The operator's `net.smtp_port` takes the place of 25. It counts to the two
   * at once of its host and address until it is closed.
   */
  connect(host: string, port: number, options?: ConnectOptions): Promise<LineSocket>
}
