import type { KoaBodyMiddlewareOptions } from 'koa-body'
import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { PassThrough, type Writable } from 'node:stream'
import { Problem } from '../../problems/problem.js'
import type { Clock } from '../../runtime/clock.js'
import { printable } from '../body.js'
import type { HttpContext } from '../exchange.js'
import { malformed, type PartHead, REMEDY, withParameters } from './part-head.js'
import { MultipartScanner } from './scanner.js'

/** A valid boundary (RFC 2046, 5.1.1). */
const BOUNDARY = /^[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]$/
/** Most bytes of a form around its file. */
const MOST_AROUND = 64 * 1024

/**
 * The boundary of a request's form, from its headers. Throws `unsupported-media-type` for another body,
 * `malformed-request` for an invalid boundary, `payload-too-large` when the declared length exceeds `mostBytes`.
 */
export function boundaryOf({ headers }: IncomingMessage, mostBytes: number): string {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw otherBody('an uncompressed body', encoding)
  const type = withParameters(headers['content-type'] ?? '')
  if (type?.value !== 'multipart/form-data') throw otherBody('a body with Content-Type: multipart/form-data', type?.value || 'none')
  const boundary = type.parameters.get('boundary') ?? ''
  if (!BOUNDARY.test(boundary)) throw malformed('Content-Type names no boundary of 1 to 70 characters (RFC 2046)')
  if (Number(headers['content-length'] ?? 0) > mostBytes + MOST_AROUND) throw tooLarge(mostBytes)
  return boundary
}

/** The refusal of a file that is too large. */
function tooLarge(mostBytes: number, cause?: unknown): Problem {
  return new Problem('payload-too-large', `The file has more than ${mostBytes} bytes, the limit (limits.upload, artifacts_quota).`, {
    action: 'Send a smaller file, or ask the operator for a higher limit.',
    ...(cause === undefined ? {} : { cause }),
  })
}

function otherBody(what: string, sent: string): Problem {
  return new Problem('unsupported-media-type', `This endpoint accepts ${what}, not ${printable(sent)}.`, { action: REMEDY })
}

type Plugin = NonNullable<NonNullable<KoaBodyMiddlewareOptions['formidable']>['enabledPlugins']>[number]
/** Type of formidable, which koa-body uses to parse forms. */
type FormidableForm = Parameters<Plugin>[0]
type FormidablePart = Parameters<FormidableForm['onPart']>[0]

/** Idle limit of an upload, in milliseconds. */
const IDLE_MS = 30_000

const AGAIN = 'Send the whole file again, without long pauses.'

interface FormOptions {
  readonly boundary: string
  /** Limit of all files together. */
  readonly mostBytes: number
  readonly clock: Clock
  /** Called with each part; returns the sink of its bytes, which sets the reading speed. A throw refuses the form. */
  readonly begin: (head: PartHead) => Writable
}

/** Parses a form from a request with koa-body and formidable, whose scanner is replaced (decision 0002). */
export class FormReading {
  /** Resolves when the whole form was read. Rejects with a Problem, or the error of `begin`, `fail` or a Writable. */
  readonly done: Promise<void>
  readonly #ctx: HttpContext
  readonly #options: FormOptions
  readonly #parser = new EventEmitter<{ error: [Error] }>()
  #failure: Error | null = null
  #lastByteAt: number

  constructor(ctx: HttpContext, options: FormOptions) {
    this.#ctx = ctx
    this.#options = options
    this.#lastByteAt = options.clock.monotonic()
    this.done = this.#read()
  }

  /** Aborts the form. */
  fail(error: Error): void {
    this.#failure ??= error
    if (this.#parser.listenerCount('error') > 0) this.#parser.emit('error', this.#failure)
  }

  async #read(): Promise<void> {
    const { req } = this.#ctx
    const left = (): void => {
      if (!req.complete) this.fail(endedEarly())
    }
    req.once('close', left)
    let stop: () => void = () => undefined
    const watch = (ms: number): void => void (stop = this.#options.clock.after(ms, () => watch(this.#idle())))
    watch(IDLE_MS)
    try {
      await this.#parse()
    } catch (error) {
      throw this.#failure ?? this.#problemOf(error)
    } finally {
      stop()
      req.off('close', left)
    }
  }

  async #parse(): Promise<void> {
    const { mostBytes } = this.#options
    const { koaBody } = await import('koa-body')
    let sink: Writable | null = null
    const parse = koaBody({
      multipart: true,
      multipartTypes: ['multipart/form-data'],
      json: false,
      urlencoded: false,
      text: false,
      patchKoa: false,
      formidable: {
        enabledPlugins: [
          (form: FormidableForm) => ({ type: 'multipart', _parser: this.#parserOf(form, (head) => (sink = this.#options.begin(head))) }),
        ],
        maxFileSize: mostBytes,
        maxTotalFileSize: mostBytes,
        allowEmptyFiles: true,
        minFileSize: 0,
        fileWriteStreamHandler: () => {
          if (sink === null) throw new TypeError('a part was opened that has not begun')
          return sink
        },
      },
    })
    if (this.#failure !== null) throw this.#failure
    if (this.#ctx.req.destroyed) throw endedEarly()
    await parse(this.#ctx, () => Promise.resolve())
  }

  /** The parser for formidable. */
  #parserOf(form: FormidableForm, begin: (head: PartHead) => Writable) {
    const scanner = new MultipartScanner(this.#options.boundary, (head) => {
      begin(head)
      const part: PassThrough & FormidablePart = Object.assign(new PassThrough(), {
        name: head.name,
        originalFilename: head.filename,
        mimetype: 'application/octet-stream',
      })
      form.onPart(part)
      return part
    })
    return Object.assign(this.#parser, {
      write: (chunk: Buffer) => {
        this.#lastByteAt = this.#options.clock.monotonic()
        if (this.#failure !== null) throw this.#failure
        scanner.write(chunk)
      },
      end: () => {
        try {
          scanner.end()
          endForm(form)
        } catch (error) {
          this.fail(error instanceof Error ? error : malformed('it ends too early', error))
        }
      },
    })
  }

  /** Maps refusals of formidable and a broken connection to Problems. */
  #problemOf(error: unknown): unknown {
    const { req } = this.#ctx
    if (error instanceof Problem) return error
    if (error instanceof Error && 'httpCode' in error && error.httpCode === 413) return tooLarge(this.#options.mostBytes, error)
    if (req.destroyed && !req.complete) return endedEarly()
    return error instanceof Error && 'httpCode' in error ? malformed('it is not well formed', error) : error
  }

  /** Aborts the form at the idle limit. Returns the milliseconds until the next check. */
  #idle(): number {
    const { clock } = this.#options
    // While the request is paused, the store is slow, not the caller.
    if (this.#ctx.req.isPaused()) this.#lastByteAt = clock.monotonic()
    const left = this.#lastByteAt + IDLE_MS - clock.monotonic()
    if (left <= 0) this.fail(new Problem('malformed-request', `No byte of the body came for ${IDLE_MS / 1000} seconds.`, { action: AGAIN }))
    return left > 0 ? left : IDLE_MS
  }
}

function endedEarly(): Problem {
  return new Problem('malformed-request', 'The body ended before it was complete.', { action: AGAIN })
}

/** Ends a form once its files are written, as formidable's own plugins do. */
function endForm(form: FormidableForm): void {
  Object.assign(form, { ended: true })
  const maybeEnd: unknown = Reflect.get(form, '_maybeEnd')
  if (typeof maybeEnd !== 'function') throw new TypeError('formidable no longer has _maybeEnd')
  Reflect.apply(maybeEnd, form, [])
}
