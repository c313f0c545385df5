import type { Readable } from 'node:stream'
import { Stopped } from '../problems/errors.js'
import { Problem } from '../problems/problem.js'
import type { Cancel } from '../runtime/cancel.js'

const RETRY_SECONDS = 10

/** What a link that leads past the gateway must say of the file. */
export interface LinkOptions {
  readonly name: string
  readonly contentType: string
  /** Unix milliseconds; the link never lives longer. */
  readonly expiresAt: number
}

/** Where the bytes of artifacts lie: a local folder or an object store. Ids are made by us and safe as file names. */
export interface BlobStore {
  /**
   * Writes a stream, each of whose pieces is valid until the next is requested. Rejects with TooLarge past the limit and with Stopped after
   * `cancel`, leaving nothing behind.
   */
  write(id: string, data: AsyncIterable<Uint8Array>, maxBytes: number, cancel?: Cancel): Promise<number>
  /** The bytes as a stream that must be read to its end or destroyed, and that `cancel` destroys with Stopped; null when there are none. */
  read(id: string, cancel?: Cancel): Promise<{ size: number; body: AsyncIterable<Uint8Array> } | null>
  remove(id: string): Promise<void>
  /** An address at which the place itself hands the file out for a while; absent or null where the bytes go through the gateway. */
  link?(id: string, about: LinkOptions): Promise<string | null>
  /** The folder of this machine that the bytes lie in; absent where they lie elsewhere. */
  readonly folder?: string
  /** One line for the operator. */
  describe(): string
  /** Rejects with BlobsUnusable when the place cannot be written, naming the setting to change. */
  check(): Promise<void>
}

/** The place cannot be used as it is; the message is one line for the operator. */
export class BlobsUnusable extends Error {
  override readonly name = 'BlobsUnusable'
  /** It may be usable a moment later without anybody changing anything. */
  readonly transient: boolean

  constructor(message: string, options: ErrorOptions & { transient: boolean }) {
    super(message, options)
    this.transient = options.transient
  }
}

/** More bytes came than may be written. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge'
}

/** Destroys the body with Stopped once the work is cancelled. */
export function stoppedBy(cancel: Cancel | undefined, body: Readable): void {
  if (cancel === undefined) return
  const forget = cancel.onCancel((reason) => body.destroy(new Stopped(reason)))
  body.once('close', forget)
}

/** The problem of a file whose place failed while it was read; what says already what it is stays as it is. */
export function readFailure(error: unknown): unknown {
  if (error instanceof Problem || error instanceof Stopped) return error
  const internal = `a stored file could not be read: ${String(error)}`
  return new Problem('overloaded', 'The file cannot be read at the moment.', { retryAfterSeconds: RETRY_SECONDS, internal, cause: error })
}

const SAFE_ID = /^[0-9A-Za-z_-]{10,64}$/

/** Throws a TypeError for an id that is not one of ours: ids become paths. */
export function checkId(id: string): void {
  if (!SAFE_ID.test(id)) throw new TypeError('an artifact id is not one of ours')
}
