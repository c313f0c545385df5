import type { Readable } from 'node:stream'
import type { Cancel } from '../runtime/cancel.js'

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
