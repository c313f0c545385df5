import type { Readable } from 'node:stream'
import type { Cancel } from '../runtime/cancel.js'
import type { Body, BodyFiles } from './request-body.js'
import type {
  Call,
  Certificate,
  ConnectOptions,
  DnsAnswer,
  DnsType,
  LineSocket,
  Page,
  PublicAddress,
  QueryOptions,
  Reply,
  TlsInspection,
  WebOptions,
} from '../sdk/index.js'
import type { VendorAccess } from '../sdk/host.js'

/** One reply, or one attempt without any, for counters. */
export interface RequestFacts {
  readonly kind: 'api' | 'web' | 'proxy'
  /** The vendor's id, or null for web traffic. */
  readonly vendor: string | null
  /** Status of the reply; null when there was none. */
  readonly status: number | null
}

/** Called on the request's path: must be quick and must not throw. */
export interface Hooks {
  readonly onRequest?: (facts: RequestFacts) => void
  /** A connection of the guard proxy ended, after so many bytes in both directions. */
  readonly onProxied?: (bytes: number) => void
}

/** One request to a host that the operator configured. */
export interface TransportRequest {
  readonly method: 'GET' | 'PUT' | 'DELETE'
  /** Absolute, http or https; its host may be private. */
  readonly url: string
  /** `content-length` is present whenever there is a body. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | AsyncIterable<Uint8Array> | null
  /** Longest time until the head of the reply arrives, in milliseconds; the body only has an idle limit. */
  readonly headMs: number
  /** Ends the request until the head of the reply arrives; after that the reader destroys the body. */
  readonly cancel?: Cancel | undefined
}

export interface TransportReply {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Must be read to its end or destroyed. A body shorter than its content-length ends with an error. */
  readonly body: Readable
}

/**
 * Streaming HTTP to a host that the operator configured, through the dialer of the outbound module. Follows no redirects.
 * Rejects with a Fault of the guard or the error of the connection.
 */
export interface Transport {
  request(request: TransportRequest): Promise<TransportReply>
}

export interface ApiOptions {
  /** Never repeated; a failure after the request may have been sent is an ambiguous Fault. */
  readonly once: boolean
  /** Files of the call, for bodies that contain some. */
  readonly files?: BodyFiles
  /** Called when bytes of a streamed request or reply move. */
  readonly moved?: () => void
}

/** A successful reply as a stream, or the target of a GET that is redirected to another origin, which must not receive our credentials. */
export type ApiStream =
  | {
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly url: string
      /** Must be read to its end or destroyed; a failure during transfer is a Fault. */
      readonly body: Readable
    }
  | { readonly elsewhere: string }

/** Requests to vendors: host from our configuration, signed, bounded. Every failure is a Fault. */
export interface Api {
  request(
    access: VendorAccess,
    call: Call,
    cancel: Cancel,
    options: ApiOptions,
  ): Promise<Reply & { readonly url: string; readonly bytes: Uint8Array }>
  /** The same with a successful reply as a stream; 30 s without a byte end it with Fault `busy`. */
  stream(access: VendorAccess, call: Call, cancel: Cancel, options: ApiOptions): Promise<ApiStream>
  close(): Promise<void>
}

/** A fetch that may have a body. Without `idleMs` only its total time is limited. */
export interface WebRequest extends Omit<WebOptions, 'method'> {
  readonly method?: NonNullable<WebOptions['method']> | 'PUT'
  readonly body?: Body
  /** Longest time in which no byte moves, in milliseconds. */
  readonly idleMs?: number
}

/** Fetches of foreign addresses: resolved, every address checked, connection pinned, redirects checked again, no credentials. */
export interface Web {
  /** Resolves for any status; a refused address is a `blocked` Fault, an unknown host `missing`. */
  get(url: string, options: WebOptions, cancel: Cancel): Promise<Page>
  /** The same with the body as a stream, for files; the size limit still applies. */
  stream(url: string, options: WebRequest, cancel: Cancel): Promise<Omit<Page, 'bytes'> & { readonly body: AsyncIterable<Uint8Array> }>
  close(): Promise<void>
}

/** The guard as a local HTTP proxy, for the browser and programs that open their own sockets. */
export interface GuardProxy {
  /** Listens on a Unix socket, for a sandbox without network; the returned function closes it and deletes the file. */
  listenOnSocket(path: string): Promise<() => Promise<void>>
  close(): Promise<void>
}

/** Names, certificates and plain connections, through the configured resolver and the guard. */
export interface Net {
  dns(name: string, type: string, cancel: Cancel): Promise<unknown[]>
  query<T extends DnsType>(name: string, type: T, cancel: Cancel, options?: QueryOptions): Promise<DnsAnswer<T>>
  tls(host: string, port: number, cancel: Cancel): Promise<Certificate>
  /** A URL and the addresses of its host, checked as for a fetch. Faults `blocked`, `missing`. */
  assertPublic(url: string, cancel: Cancel): Promise<PublicAddress>
  inspectTls(host: string, port: number, cancel: Cancel): Promise<TlsInspection>
  /** A line connection to a checked address on a port of mail or WHOIS (others by `allowPrivate`). */
  connect(host: string, port: number, options: ConnectOptions, cancel: Cancel): Promise<LineSocket>
}

export interface OutboundSettings {
  /** Non-public `host[:port]` or CIDR that calls may reach. */
  readonly allowPrivate: readonly string[]
  /** Upstream proxy for web traffic, or null. */
  readonly proxy: string | null
  /** Resolver `ip:port`, or null for the system's. */
  readonly dns: string | null
  /** Port of foreign mail servers, default 25. */
  readonly smtpPort?: number
  /** The WHOIS server to query first, `host[:port]`; null, the default, uses each lookup's own. */
  readonly whois?: string | null
  /** Concurrent fetches of one host over all callers. */
  readonly perHost: number
  readonly userAgent: string
}

/** Sockets of the process, for the check that nothing bypasses this module. */
interface SocketCounts {
  /** Opened here since the start. */
  readonly opened: number
  /** Opened by other code while `audit` was on; stores and telemetry open their own. */
  readonly foreign: number
  /** Starts counting the sockets of other code; the returned function stops it. */
  audit(): () => void
}

export interface Outbound {
  readonly api: Api
  readonly web: Web
  readonly proxy: GuardProxy
  readonly net: Net
  /** Streams to and from hosts that the operator configured, such as the object store. */
  readonly operator: Transport
  readonly sockets: SocketCounts
  close(): Promise<void>
}
