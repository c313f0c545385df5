import { Buffer } from 'node:buffer'
import { Writable } from 'node:stream'
import { MessageChannel } from 'node:worker_threads'
import { Stopped } from '../../problems/errors.js'
import type { Cancel } from '../../runtime/cancel.js'
import type { Clock } from '../../runtime/clock.js'
import type { HttpContext } from '../exchange.js'
import { validationFailed } from '../validation.js'
import { boundaryOf, FormReading } from './form.js'
import { type PartHead, REMEDY } from './part-head.js'

/** The one field of the form. */
const FIELD = 'file'
/** Most bytes of a file that wait in memory for the store. */
const WAITING_BYTES = 256 * 1024

/** A file that is being received. */
interface ArrivingFile {
  /** The caller's name for it. */
  readonly name: string
  /** Each piece is valid until the next is requested. Ends with the whole form; throws when the form is aborted. */
  readonly bytes: AsyncIterable<Uint8Array>
}

interface ReceiveOptions {
  readonly clock: Clock
  readonly cancel: Cancel
  readonly mostBytes: number
}

/**
 * Streams the one file of a multipart/form-data body to `keep`, at its reading speed. Settles when both are done, with
 * the result of `keep` or the first error. Throws what `boundaryOf` throws, `malformed-request` for a form that is
 * malformed or incomplete, and `validation-failed` for one without exactly one file in the field `file`.
 */
export async function receiveFile<T>(
  ctx: HttpContext,
  { clock, cancel, mostBytes }: ReceiveOptions,
  keep: (file: ArrivingFile) => Promise<T>,
): Promise<T> {
  const stream = new ArrivingBytes(WAITING_BYTES)
  // The writer and the reader receive the error; this handler prevents an uncaught exception.
  stream.on('error', () => undefined)
  const kept: Promise<T>[] = []
  const begin = ({ name, filename }: PartHead): ArrivingBytes => {
    if (name !== FIELD)
      throw formViolation(name.slice(0, 100), 'this field is not known; the form has one field, "file"', 'extra_forbidden')
    if (filename === null) throw formViolation(FIELD, 'must be a file with a file name, as curl -F file=@report.pdf sends it', 'type')
    if (kept.length > 0) throw formViolation(FIELD, 'must be one file; send each in its own request', 'maxItems')
    const keeping = keep({ name: filename, bytes: untilWhole(stream, form) })
    keeping.catch((error: unknown) => form.fail(error instanceof Error ? error : new Error(String(error), { cause: error })))
    kept.push(keeping)
    return stream
  }
  const form = new FormReading(ctx, { boundary: boundaryOf(ctx.req, mostBytes), clock, mostBytes, begin })
  const forget = cancel.onCancel((reason) => form.fail(new Stopped(reason)))
  try {
    await form.done
  } catch (error) {
    stream.destroy(error instanceof Error ? error : undefined)
    await Promise.allSettled(kept)
    throw error
  } finally {
    forget()
  }
  const [file = missing()] = await Promise.all(kept)
  return file
}

async function* untilWhole(stream: AsyncIterable<Uint8Array>, form: FormReading): AsyncGenerator<Uint8Array> {
  yield* stream
  await form.done
}

function missing(): never {
  throw formViolation(FIELD, 'this field is required', 'missing')
}

/** The refusal of a form by one of its fields. */
function formViolation(field: string, msg: string, type: string) {
  return validationFailed([{ loc: ['body', field], msg, type }], { action: REMEDY })
}

/**
 * A pipe that is read in pieces of all waiting bytes: each piece costs a write to the disk, and pieces of a socket's 64
 * KiB cost a third of the speed. The bytes are copied into two buffers used in turn, so that a piece is valid until the
 * next is requested. Memory of incoming chunks is freed once copied, since memory outside the heap counts for the
 * garbage collector: with a heap of 1 GiB at most (decision 0016) 300 MiB cost 30 collections of the whole heap.
 */
export class ArrivingBytes extends Writable implements AsyncIterable<Uint8Array> {
  #filling: Buffer
  #other: Buffer
  #filled = 0
  /** The part of a chunk that does not fit yet. */
  #left: { readonly chunk: Buffer; readonly taken: () => void } | null = null
  readonly #copied: Buffer[] = []
  readonly #nowhere = new MessageChannel().port1
  #ended = false
  #changed: () => void = () => undefined

  /** Accepts no more while `most` bytes wait; the reader may hold as many again. */
  constructor(most: number) {
    super({ decodeStrings: true })
    this.#filling = Buffer.allocUnsafeSlow(most)
    this.#other = Buffer.allocUnsafeSlow(most)
    this.#nowhere.close()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, taken: () => void): void {
    this.#take(chunk, taken)
    this.#changed()
  }

  override _final(done: () => void): void {
    this.#ended = true
    this.#changed()
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // Node also destroys a finished stream, of which not all may have been read.
    if (!this.#ended) this.#filled = 0
    this.#left = null
    this.#changed()
    done(error)
  }

  /** The bytes in order; single use. Each piece is valid until the next one. Throws the error passed to `destroy`. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      this.#free()
      if (this.#filled > 0) {
        const piece = this.#filling.subarray(0, this.#filled)
        ;[this.#filling, this.#other, this.#filled] = [this.#other, this.#filling, 0]
        const left = this.#left
        if (left !== null) this.#take(left.chunk, left.taken)
        yield piece
      } else if (this.#ended) return this.#freeAll()
      else if (this.destroyed) throw this.errored ?? new Error('the stream was destroyed')
      else await new Promise<void>((resolve) => (this.#changed = resolve))
    }
  }

  /** Copies what fits, and calls `taken` once all of the chunk was copied. */
  #take(chunk: Buffer, taken: () => void): void {
    const size = chunk.copy(this.#filling, this.#filled)
    this.#filled += size
    this.#left = size < chunk.length ? { chunk: chunk.subarray(size), taken } : null
    if (this.#left !== null) return
    this.#copied.push(chunk)
    taken()
  }

  #freeAll(): void {
    this.#copied.push(this.#filling, this.#other)
    this.#free()
  }

  /** Frees buffers by transferring them to a closed port. Slices of Node's buffer pool are skipped. */
  #free(): void {
    for (const { buffer } of this.#copied.splice(0))
      if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) this.#nowhere.postMessage(null, [buffer])
  }
}
