import type { ByteRange } from '../runtime/file-names.js'
import type { Readable } from 'node:stream'
import { Stopped } from '../problems/errors.js'
import { Problem } from '../problems/problem.js'
import type { Cancel } from '../runtime/cancel.js'
import type { FileInfo, Stored } from '../sdk/index.js'

const RETRY_SECONDS = 10

/** File details in a link that bypasses the gateway. */
export interface LinkOptions {
  readonly name: string
  readonly contentType: string
  /** Latest expiry of the link, Unix milliseconds. */
  readonly expiresAt: number
}

/** Bytes of a file, or of a range of it: `size` of the `whole` that it has. */
export interface BlobStream {
  readonly size: number
  readonly whole: number
  /** The part of the file that `body` has; null for all of it. */
  readonly range: ByteRange | null
  readonly body: AsyncIterable<Uint8Array>
}

/** Storage of the bytes of artifacts: a local folder or an object store. Our ids are safe as file names. */
export interface BlobStore {
  /**
   * Writes a stream, each of whose pieces is valid until the next is requested. Rejects with TooLarge past the limit and with Stopped after
   * `cancel`, leaving nothing behind.
   */
  write(id: string, data: AsyncIterable<Uint8Array>, maxBytes: number, cancel?: Cancel): Promise<number>
  /**
   * The bytes, or those that a Range header names (`rangeOf`), as a stream that must be read to its end or destroyed,
   * and that `cancel` destroys with Stopped; null when there are none.
   */
  read(id: string, cancel?: Cancel, range?: string): Promise<BlobStream | null>
  remove(id: string): Promise<void>
  /** A temporary address at which the store itself serves the file; absent or null where the gateway serves it. */
  link?(id: string, about: LinkOptions): Promise<string | null>
  /** The local folder of the bytes; absent for other stores. */
  readonly folder?: string
  /** One line for the operator. */
  describe(): string
  /** Rejects with BlobsUnusable when the store cannot be written, naming the setting to change. */
  check(): Promise<void>
}

/** The store cannot be used; the message is one line for the operator. */
export class BlobsUnusable extends Error {
  override readonly name = 'BlobsUnusable'
  /** It may become usable without a change of configuration. */
  readonly transient: boolean

  constructor(message: string, options: ErrorOptions & { transient: boolean }) {
    super(message, options)
    this.transient = options.transient
  }
}

/** The data exceeds the size limit. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge'
}

/** Destroys the body with Stopped once the work is cancelled. */
export function stoppedBy(cancel: Cancel | undefined, body: Readable): void {
  if (cancel === undefined) return
  const forget = cancel.onCancel((reason) => body.destroy(new Stopped(reason)))
  body.once('close', forget)
}

/** The problem of a store that failed while a file was read; a Problem or Stopped is returned unchanged. */
export function readFailure(error: unknown): unknown {
  if (error instanceof Problem || error instanceof Stopped) return error
  const internal = `a stored file could not be read: ${String(error)}`
  return new Problem('overloaded', 'The file cannot be read at the moment.', { retryAfterSeconds: RETRY_SECONDS, internal, cause: error })
}

/** A stream of these bytes. */
export async function* once(data: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(data)
}

const SAFE_ID = /^[0-9A-Za-z_-]{10,64}$/

/** Throws a TypeError for an id that is not one of ours: ids become paths. */
export function checkId(id: string): void {
  if (!SAFE_ID.test(id)) throw new TypeError('an artifact id is not one of ours')
}

/** Stores files of a call as artifacts, within the account's quota. */
export interface CallFiles {
  put(account: string, data: Uint8Array | AsyncIterable<Uint8Array>, about: FileInfo, cancel: Cancel): Promise<Stored>
}

/** Memory for an answer; `reserve` throws `overloaded` when none is left. */
interface AnswerRoom {
  reserve(bytes: number): void
}

/** Terms of reading a kept answer: until `cancel` ends the call, within `room`. */
export interface ReadTerms {
  readonly cancel?: Cancel
  readonly room?: AnswerRoom | null
}

/** Keeps answers too large for the store. Both methods reject with Stopped as soon as `cancel` ends the call. */
export interface KeptFiles {
  write(account: string, data: Uint8Array, expires: number, cancel: Cancel): Promise<string>
  read(file: string, terms: ReadTerms): Promise<Uint8Array>
}
