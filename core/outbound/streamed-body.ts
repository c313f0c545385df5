import { Readable } from 'node:stream'
import { Problem } from '../problems/problem.js'
import type { ScratchFile } from '../sdk/index.js'

/** The files of a call, for request bodies. Throws TypeError for a file of another call. */
export interface BodyFiles {
  size(file: ScratchFile): number
  read(file: ScratchFile): AsyncIterable<Uint8Array>
}

/** A piece of a body: bytes, or a file that is read while it is sent. */
export type BodyPiece = Uint8Array | { readonly size: number; readonly read: () => AsyncIterable<Uint8Array> }

/** Notified when bytes move; `rest` means that none are expected for now. */
export interface Watch {
  moved(): void
  rest(): void
}

/** A body of known length that is never completely in memory. It can be sent again: each `open` reads it from the beginning. */
export class StreamedBody {
  readonly #pieces: readonly BodyPiece[]
  /** Bytes. */
  readonly length: number

  constructor(pieces: readonly BodyPiece[]) {
    this.#pieces = pieces
    this.length = pieces.reduce((sum, piece) => sum + (piece instanceof Uint8Array ? piece.length : piece.size), 0)
  }

  /** The bytes as a stream with backpressure. Files are opened when they are first read and closed when the stream is destroyed. */
  open(watch: Watch): Readable {
    const stream = Readable.from(chunksOf(this.#pieces, watch), { objectMode: false })
    stream.on('error', () => undefined)
    return stream
  }
}

async function* chunksOf(pieces: readonly BodyPiece[], watch: Watch): AsyncGenerator<Uint8Array> {
  watch.moved()
  for (const piece of pieces) {
    if (piece instanceof Uint8Array) {
      yield piece
      watch.moved()
      continue
    }
    let left = piece.size
    for await (const chunk of readable(piece.read)) {
      left -= chunk.length
      yield chunk
      watch.moved()
      // Not waiting for the file's end: a vendor that answers earlier would find the request incomplete and lose its connection.
      if (left <= 0) break
    }
  }
  watch.rest()
}

/** A file that cannot be read is a failure of the gateway, not of the recipient. */
async function* readable(read: () => AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* read()
  } catch (error) {
    throw new Problem('overloaded', 'A file of the call could not be read.', {
      retryAfterSeconds: 5,
      internal: String(error),
      cause: error,
    })
  }
}
