import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { Cancel } from '../runtime/cancel.js'
import type { Call } from '../sdk/index.js'
import { BoundedExchange, type Head } from './exchange.js'
import { JoinedBody, namedLength } from './reply-body.js'
import { type BodyFiles, methodOf, requestBody, StreamedBody, type Watch } from './request-body.js'
import { type Destination, requestPath, type VendorPlan, withQuery } from './vendor-plan.js'
import { StreamedReply } from './streamed-reply.js'

const MAX_BYTES = 10 << 20
/** Size limit of an error reply to a request for a file. */
const REFUSAL_BYTES = 1 << 20

/** A request ready for the wire. */
export interface Wire {
  readonly destination: Destination
  readonly method: NonNullable<Call['method']>
  /** Without the query fields of the signature. */
  readonly path: string
  readonly signedPath: string
  readonly headers: string[]
  readonly body: string | Buffer | StreamedBody | null
  readonly maxBytes: number
  /** A successful reply is streamed. */
  readonly streams: boolean
}

/** How a request is sent. */
export interface Sending {
  readonly cancel: Cancel
  /** Notified of bytes in both directions. */
  readonly watch: Watch
  /** Maps the failure of a streamed reply to the error of its stream. */
  readonly failed: (error: unknown) => Error
}

export interface WireReply extends Head {
  /** All of it; empty when it is a stream. */
  readonly bytes: Uint8Array
  /** Must be read to its end or destroyed. */
  readonly body: Readable | null
}
export type WireOutcome =
  | { readonly answer: WireReply; readonly error: null }
  | { readonly answer: null; readonly error: unknown; readonly left: boolean; readonly stale: boolean }

interface WiredOptions {
  readonly files?: BodyFiles | undefined
  /** Stream a successful reply. */
  readonly streams?: boolean
}

/** The request of a call to a vendor. Throws a `broken` Fault for one that cannot be sent. */
export function wired(plan: VendorPlan, call: Call, { files, streams = false }: WiredOptions = {}): Wire {
  const destination = call.address === undefined ? plan.destination(call.host) : plan.named(call.address)
  const path = requestPath(destination.prefix, call)
  const { data, contentType } = requestBody(call, plan.signature.json, files)
  const headers = plan.headers(call, contentType, { identity: streams })
  return {
    destination,
    method: methodOf(call),
    path,
    signedPath: withQuery(path, plan.query),
    headers: data instanceof StreamedBody ? withLength(headers, data.length) : headers,
    body: data,
    maxBytes: call.maxBytes ?? MAX_BYTES,
    streams,
  }
}

/** Sends a request once. Resolves with the complete reply, or with the head of a streamed one. */
export function exchanged(wire: Wire, { cancel, watch, failed }: Sending, dispatcher: Dispatcher): Promise<WireOutcome> {
  return new Promise((resolve) => {
    let joined = new JoinedBody(0)
    let head: Head = { status: 0, headers: {} }
    let streamed: StreamedReply | null = null
    const body = wire.body instanceof StreamedBody ? wire.body.open(watch) : wire.body
    // The unsent rest of a body must not keep its file open.
    const releaseBody = (): void => {
      if (body instanceof Readable) body.destroy()
    }
    const settle = (outcome: WireOutcome): void => {
      releaseBody()
      resolve(outcome)
    }
    const exchange: BoundedExchange = new BoundedExchange({
      maxBytes: (status) => (wire.streams && !isSuccess({ status }) ? REFUSAL_BYTES : wire.maxBytes),
      cancel,
      watch,
      bodyless: wire.method === 'HEAD',
      head: (received) => {
        head = received
        if (wire.streams && isSuccess(received)) {
          streamed = new StreamedReply(() => exchange, failed)
          streamed.body.once('close', releaseBody)
          resolve({ answer: { ...received, bytes: new Uint8Array(), body: streamed.body }, error: null })
        } else joined = new JoinedBody(namedLength(received.headers, wire.maxBytes), { movable: true })
        return true
      },
      sink: {
        chunk: (data) => (streamed === null ? joined.add(data) : streamed.sink.chunk(data)),
        end: () =>
          streamed === null
            ? settle({ answer: { status: head.status, headers: head.headers, bytes: joined.bytes(), body: null }, error: null })
            : streamed.sink.end(),
        fail: (error) =>
          streamed === null
            ? settle({ answer: null, error, left: exchange.left, stale: exchange.staleConnection })
            : streamed.sink.fail(error),
      },
    })
    const { destination, method, signedPath, headers } = wire
    exchange.start(dispatcher, { origin: destination.origin, path: signedPath, method, headers, body, exchange })
  })
}

export function isSuccess({ status }: { readonly status: number }): boolean {
  return status >= 200 && status < 300
}

/** Flat headers with the length of a body, which replaces any that the call set. */
function withLength(headers: readonly string[], length: number): string[] {
  const others = headers.filter((_, index) => !/^(content-length|transfer-encoding)$/i.test(headers[index - (index % 2)] ?? ''))
  return [...others, 'content-length', String(length)]
}
