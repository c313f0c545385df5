import { Readable } from 'node:stream'
import type { Sink } from './body-decoder.js'
import type { BoundedExchange } from './exchange.js'

/** The body of a reply as a stream with backpressure; destroying it ends the exchange. */
export class StreamedReply {
  readonly body: Readable
  readonly sink: Sink

  /** `failed` maps a failure to the error of the stream. */
  constructor(exchange: () => BoundedExchange, failed: (error: Error) => Error) {
    this.body = new Readable({
      read: () => exchange().hold(false),
      destroy: (error, done) => {
        exchange().stop(error ?? new Error('left unread'))
        done(error)
      },
    })
    // A reader that starts later receives the error from the stream.
    this.body.on('error', () => undefined)
    this.sink = {
      chunk: (data) => {
        if (!this.body.push(data)) exchange().hold(true)
      },
      end: () => void this.body.push(null),
      fail: (error) => void this.body.destroy(failed(error)),
    }
  }
}

/** The chunks of a body, which is closed when the iteration ends, even before the first chunk. */
export function closeable(body: Readable): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]: () => {
      const chunks: AsyncIterator<Uint8Array, undefined> = body[Symbol.asyncIterator]()
      return {
        next: () => chunks.next(),
        return: async () => {
          body.destroy()
          await chunks.return?.()
          return { done: true, value: undefined }
        },
      }
    },
  }
}
