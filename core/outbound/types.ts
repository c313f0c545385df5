import type { Readable } from 'node:stream'
import type { Cancel } from '../runtime/cancel.js'
import type { Body } from './request-body.js'
import type { BodyFiles } from './streamed-body.js'
import type { Transport } from './transport.js'
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

export interface ApiOptions {
  /** Never repeated, and a failure after the request may have left is an ambiguous Fault. */
  readonly once: boolean
  /** Files of the call, for bodies that hold some. */
  readonly files?: BodyFiles
  /** Told of bytes on their way, of requests and replies that are streamed. */
  readonly moved?: () => void
}

/** A reply of success as it comes, or where a GET is redirected to another origin, to which our credentials do not go. */
export type ApiStream =
  | {
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly url: string
      /** Must be read to its end or destroyed; a failure on its way is a Fault. */
      readonly body: Readable
    }
  | { readonly elsewhere: string }

/** Calls to vendors: host from our configuration, signed, bounded. Every failure is a Fault. */
export interface Api {
  request(
    access: VendorAccess,
    call: Call,
    cancel: Cancel,
    options: ApiOptions,
  ): Promise<Reply & { readonly url: string; readonly bytes: Uint8Array }>
  /** The same with a reply of success as a stream; silence of 30 s ends it, `busy`. */
  stream(access: VendorAccess, call: Call, cancel: Cancel, options: ApiOptions): Promise<ApiStream>
  close(): Promise<void>
}

/** A fetch that may send something. Without `idleMs` only its whole time counts. */
export interface WebRequest extends Omit<WebOptions, 'method'> {
  readonly method?: NonNullable<WebOptions['method']> | 'PUT'
  readonly body?: Body
  /** Longest time in which no byte moves, in milliseconds. */
  readonly idleMs?: number
}

/** Fetches of foreign addresses: resolved, every address checked, connection pinned, redirects checked again, no credentials. */
export interface Web {
  /** Any status is an answer; a refused address is a `blocked` Fault, an unknown host `missing`. */
  get(url: string, options: WebOptions, cancel: Cancel): Promise<Page>
  /** The same with the body as a stream, for files; the size cap still holds. */
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
  /** An address and what its host stands for, checked as for a fetch. Faults `blocked`, `missing`. */
  assertPublic(url: string, cancel: Cancel): Promise<PublicAddress>
  inspectTls(host: string, port: number, cancel: Cancel): Promise<TlsInspection>
  /** Lines with a checked address on a port of mail or WHOIS (others by `allowPrivate`). */
  connect(host: string, port: number, options: ConnectOptions, cancel: Cancel): Promise<LineSocket>
}

export interface OutboundSettings {
  /** `host[:port]` or CIDR that calls may reach although not public. */
  readonly allowPrivate: readonly string[]
  /** Upstream proxy for web traffic, or null. */
  readonly proxy: string | null
  /** Resolver `ip:port`, or null for the system's. */
  readonly dns: string | null
  /** Port of foreign mail servers, default 25. */
  readonly smtpPort?: number
  /** The WHOIS server to ask first, `host[:port]`; null, the default, takes each look-up's own. */
  readonly whois?: string | null
  /** Fetches at once to one host over all callers. */
  readonly perHost: number
  readonly userAgent: string
}

/** Sockets of the process, for the check that nothing goes around this module. */
interface SocketCounts {
  /** Opened here since the start. */
  readonly opened: number
  /** Opened by other code while `audit` was on; stores and telemetry open theirs themselves. */
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
