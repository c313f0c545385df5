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
/** Bytes of a file that wait in memory for the store. */
const WAITING_BYTES = 256 * 1024

/** A file while it comes. */
interface ArrivingFile {
  /** As the caller named it. */
  readonly name: string
  /** Each piece is good until the next is asked for. They end when the whole form has come; a form that is given up is an error of theirs. */
  readonly bytes: AsyncIterable<Uint8Array>
}

interface ReceiveOptions {
  readonly clock: Clock
  readonly cancel: Cancel
  readonly mostBytes: number
}

/**
 * Receives the one file of a multipart/form-data body and hands it to `keep` while it comes, no faster than that reads it. Settles when both are done:
 * with what `keep` answers, or with the first error. Throws what `boundaryOf` throws, `malformed-request` for a form that cannot be read or stops
 * coming, and `validation-failed` for one that has not exactly one file in the field `file`.
 */
export async function receiveFile<T>(
  ctx: HttpContext,
  { clock, cancel, mostBytes }: ReceiveOptions,
  keep: (file: ArrivingFile) => Promise<T>,
): Promise<T> {
  const stream = new ArrivingBytes(WAITING_BYTES)
  // Whoever writes is told, and whoever reads.
  stream.on('error', () => undefined)
  const kept: Promise<T>[] = []
  const begin = ({ name, filename }: PartHead): ArrivingBytes => {
    if (name !== FIELD)
      throw formViolation(name.slice(0, 100), 'this field is not known; the form has one field, "file"', 'extra_forbidden')
    if (filename === null) throw formViolation(FIELD, 'must be a file with a file name, as curl -F file=@report.pdf sends it', 'type')
    if (kept.length > 0) throw formViolation(FIELD, 'must be one file; send each in a request of its own', 'maxItems')
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
