import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { Problem } from '../problems/problem.js'
import { type Call, Fault, type Part, type ScratchFile } from '../sdk/index.js'

export interface Body {
  /** Null for a request without a body. */
  readonly data: string | Buffer | StreamedBody | null
  /** Empty for a request without a body. */
  readonly contentType: string
}

const NONE: Body = { data: null, contentType: '' }

/** The fields of a call that make its body. */
type BodyParts = Pick<Call, 'method' | 'json' | 'form' | 'multipart' | 'bytes'>

/** The body of a call, a stream when it holds files of the call; `signed` is what signing adds to a JSON body. */
export function requestBody(call: BodyParts, signed: Readonly<Record<string, unknown>> | undefined, files?: BodyFiles): Body {
  if (call.json !== undefined || (signed !== undefined && carriesNothing(call))) {
    return { data: JSON.stringify(signed === undefined ? call.json : { ...fields(call.json), ...signed }), contentType: 'application/json' }
  }
  if (call.form !== undefined) return { data: new URLSearchParams(call.form).toString(), contentType: 'application/x-www-form-urlencoded' }
  if (call.multipart !== undefined) return multipart(call.multipart, files)
  if (call.bytes !== undefined) return { data: joined([piece(call.bytes.data, files)]), contentType: call.bytes.contentType }
  return NONE
}

/** True when the body of a call contains files, and so may be of any size. */
export function carriesFiles({ multipart: parts = [], bytes }: BodyParts): boolean {
  return [...parts, ...(bytes === undefined ? [] : [bytes])].some(({ data }) => typeof data !== 'string' && !(data instanceof Uint8Array))
}

/** The method of a call; by default GET without a body, else POST. */
export function methodOf(call: BodyParts): NonNullable<Call['method']> {
  return (
    call.method ??
    (call.json === undefined && call.form === undefined && call.multipart === undefined && call.bytes === undefined ? 'GET' : 'POST')
  )
}

function carriesNothing(call: BodyParts): boolean {
  const method = methodOf(call)
  return (method === 'POST' || method === 'PUT') && call.form === undefined && call.multipart === undefined && call.bytes === undefined
}

function fields(json: unknown): object {
  if (json === undefined) return {}
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json
  throw new Fault('broken', 'the adapter built an invalid request', {
    internal: 'signing adds fields to a JSON body, so Call.json must be an object',
  })
}

/** A multipart form (RFC 7578), names escaped as browsers do. */
function multipart(parts: readonly Part[], files: BodyFiles | undefined): Body {
  const boundary = `----part-${randomBytes(16).toString('hex')}`
  const pieces: BodyPiece[] = []
  for (const { name, data, filename, contentType } of parts) {
    const file = filename === undefined ? '' : `; filename="${escape(filename)}"`
    const type = contentType ?? (filename === undefined ? '' : 'application/octet-stream')
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${escape(name)}"${file}\r\n${type === '' ? '' : `content-type: ${type.replace(/[\r\n]/g, '')}\r\n`}\r\n`
    pieces.push(Buffer.from(head), piece(data, files), Buffer.from('\r\n'))
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`))
  return { data: joined(pieces), contentType: `multipart/form-data; boundary=${boundary}` }
}

function piece(data: string | Uint8Array | ScratchFile, files: BodyFiles | undefined): BodyPiece {
  if (typeof data === 'string') return Buffer.from(data)
  if (data instanceof Uint8Array) return Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  if (files === undefined) throw new TypeError('a request outside a call has no files of a call')
  return { size: files.size(data), read: () => files.read(data) }
}

/** One buffer of all pieces, or a stream when there are files among them. */
function joined(pieces: readonly BodyPiece[]): Buffer | StreamedBody {
  const inMemory = pieces.filter((each) => each instanceof Uint8Array)
  if (inMemory.length < pieces.length) return new StreamedBody(pieces)
  const [only] = inMemory
  return inMemory.length === 1 && only !== undefined ? Buffer.from(only.buffer, only.byteOffset, only.byteLength) : Buffer.concat(inMemory)
}

function escape(text: string): string {
  return text.replace(/["\r\n]/g, (sign) => (sign === '"' ? '%22' : sign === '\r' ? '%0D' : '%0A'))
}

/** The files of a call, for request bodies. Throws TypeError for a file of another call. */
export interface BodyFiles {
  size(file: ScratchFile): number
  read(file: ScratchFile): AsyncIterable<Uint8Array>
}

/** A piece of a body: bytes, or a file that is read while it is sent. */
type BodyPiece = Uint8Array | { readonly size: number; readonly read: () => AsyncIterable<Uint8Array> }

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
