import type { Cancel } from '../../runtime/cancel.js'
import type { Clock } from '../../runtime/clock.js'
import { Stopped } from '../../problems/errors.js'
import type { HttpContext } from '../exchange.js'
import { validationFailed } from '../validation.js'
import { ArrivingBytes } from './arriving.js'
import { boundaryOf } from './boundary.js'
import { FormReading } from './form.js'
import { REMEDY, type PartHead } from './part-head.js'

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
export function formViolation(field: string, msg: string, type: string) {
  return validationFailed([{ loc: ['body', field], msg, type }], { action: REMEDY })
}
