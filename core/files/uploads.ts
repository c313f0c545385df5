import { RunningCalls, RunningByKey } from '../runtime/running.js'
import { Cancel } from '../runtime/cancel.js'
import type { Clock } from '../runtime/clock.js'
import type { Workers } from '../exec/types.js'
import { Problem } from '../problems/problem.js'
import { Fault } from '../sdk/index.js'
import type { Artifacts } from './artifacts.js'
import { headOf, kindOf } from './kind.js'
import { safeName } from '../runtime/file-names.js'

/** Most concurrent uploads of one account, and of all. */
const MOST_OF_ACCOUNT = 8
const MOST = 64

/** A file of a caller in the artifact store. */
interface CallerFile {
  readonly id: string
  readonly data: {
    readonly file_url: string
    readonly file_name: string
    /** Bytes. */
    readonly file_size: number
    /** Detected from the bytes, not the type that the caller sent. */
    readonly content_type: string
    /** ISO 8601. */
    readonly expires_at: string
  }
}

interface UploadParts {
  readonly files: Artifacts
  readonly workers: Workers
  readonly clock: Clock
  readonly settings: { readonly limits: { readonly upload: number }; readonly artifacts_quota: number }
}

/** Streams files of callers into the artifact store, within the quota of their account. */
export class Uploads {
  readonly #parts: UploadParts
  readonly #byAccount = new RunningByKey()
  readonly #running = new RunningCalls()

  constructor(parts: UploadParts) {
    this.#parts = parts
  }

  /** The largest file, in bytes: one that exceeds the quota would never fit. */
  get mostBytes(): number {
    const { limits, artifacts_quota: quota } = this.#parts.settings
    return Math.min(limits.upload, quota)
  }

  /** Number of running uploads. */
  get running(): number {
    return this.#running.size
  }

  /** Registers an upload; `leave` must be called at its end. Throws `too-many-in-flight` or `overloaded` when the limit is reached. */
  enter(account: string): { readonly cancel: Cancel; readonly leave: () => void } {
    const own = this.#byAccount.of(account)
    if (own >= MOST_OF_ACCOUNT)
      throw new Problem('too-many-in-flight', `This account has ${own} uploads running and may have ${MOST_OF_ACCOUNT}.`, {
        retryAfterSeconds: 1,
        action: 'Wait for running uploads to end.',
      })
    if (this.#running.size >= MOST)
      throw new Problem('overloaded', `This gateway accepts ${MOST} uploads at once.`, { retryAfterSeconds: 5 })
    const cancel = new Cancel(this.#parts.clock, Infinity, account)
    const [forget, out] = [this.#byAccount.add(account), this.#running.add(cancel)]
    return {
      cancel,
      leave: () => {
        forget()
        out()
      },
    }
  }

  /**
   * Stores a file as it arrives; each piece need only be valid until the next is requested. When its bytes end with an error, nothing is
   * kept and this rejects with it. Problems as `Artifacts.put`.
   */
  async keep(file: { readonly name: string; readonly bytes: AsyncIterable<Uint8Array> }, cancel: Cancel): Promise<CallerFile> {
    const { files, workers } = this.#parts
    const name = safeName(file.name)
    const { head, whole, bytes } = await headOf(file.bytes)
    if (head.length === 0) throw new Fault('invalid', 'The file is empty.', { loc: ['file'] })
    const kind = await kindOf((module, input, options) => workers.run(module, input, options, cancel), { head, whole, name })
    const about = { name, contentType: kind?.contentType ?? 'application/octet-stream', mostBytes: this.mostBytes }
    const { id, url, size, content_type, expires_at } = await files.put(cancel.caller, bytes, about, cancel)
    return { id, data: { file_url: url, file_name: name, file_size: size, content_type, expires_at } }
  }

  /** Deletes a file whose caller did not receive the answer. */
  async discard({ id }: CallerFile): Promise<void> {
    await this.#parts.files.discard(id)
  }

  /** Cancels running uploads. */
  cut(): void {
    this.#running.cut()
  }

  /** Cancels running uploads, and resolves when they are cleaned up. */
  async close(): Promise<void> {
    this.cut()
    await this.#running.idle()
  }
}
