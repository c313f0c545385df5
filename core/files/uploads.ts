import { RunningCalls, RunningByKey } from '../runtime/running.js'
import { Cancel } from '../runtime/cancel.js'
import type { Clock } from '../runtime/clock.js'
import type { Workers } from '../exec/types.js'
import { Problem } from '../problems/problem.js'
import { Fault } from '../sdk/index.js'
import type { Artifacts } from './artifacts.js'
import { headOf, kindOf } from './kind.js'
import { safeName } from '../runtime/file-names.js'

/** Uploads at once of one account, and of all. */
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
    /** What the bytes are, not what the caller said. */
    readonly content_type: string
    /** ISO 8601. */
    readonly expires_at: string
  }
}

interface UploadParts {
  readonly files: Artifacts
  readonly workers: Workers
  readonly clock: Clock
  /** The largest file, in bytes. */
  readonly mostBytes: number
}

/** Files that callers send, straight into the artifact store, on the quota of their account. */
export class Uploads {
  readonly #parts: UploadParts
  readonly #byAccount = new RunningByKey()
  readonly #running = new RunningCalls()

  constructor(parts: UploadParts) {
    this.#parts = parts
  }

  /** The largest file, in bytes. */
  get mostBytes(): number {
    return this.#parts.mostBytes
  }

  /** Uploads that run. */
  get running(): number {
    return this.#running.size
  }

  /** Counts an upload in; `leave` must be called at its end. Throws `too-many-in-flight` and `overloaded` when as many run as may. */
  enter(account: string): { readonly cancel: Cancel; readonly leave: () => void } {
    const own = this.#byAccount.of(account)
    if (own >= MOST_OF_ACCOUNT)
      throw new Problem('too-many-in-flight', `This account has ${own} uploads running and may have ${MOST_OF_ACCOUNT}.`, {
        retryAfterSeconds: 1,
        action: 'Wait for running uploads to end.',
      })
    if (this.#running.size >= MOST) throw new Problem('overloaded', `This gateway takes ${MOST} uploads at once.`, { retryAfterSeconds: 5 })
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

  /** Keeps a file while it comes, whose pieces may be good until the next is asked for; nothing of it stays when its bytes end with an error, with which this rejects then. Problems as `Artifacts.put`. */
  async keep(file: { readonly name: string; readonly bytes: AsyncIterable<Uint8Array> }, cancel: Cancel): Promise<CallerFile> {
    const { files, workers, mostBytes } = this.#parts
    const name = safeName(file.name)
    const { head, whole, bytes } = await headOf(file.bytes)
    if (head.length === 0) throw new Fault('invalid', 'The file is empty.', { loc: ['file'] })
    const kind = await kindOf((module, input, options) => workers.run(module, input, options, cancel), { head, whole, name })
    const about = { name, contentType: kind?.contentType ?? 'application/octet-stream', mostBytes }
    const { id, url, size, content_type, expires_at } = await files.put(cancel.caller, bytes, about, cancel)
    return { id, data: { file_url: url, file_name: name, file_size: size, content_type, expires_at } }
  }

  /** Deletes a file whose caller will never learn of it. */
  async discard({ id }: CallerFile): Promise<void> {
    await this.#parts.files.discard(id)
  }

  /** Gives up those that run. */
  cut(): void {
    this.#running.cut()
  }

  /** Gives up those that run, and resolves when nothing of them is left. */
  async close(): Promise<void> {
    this.cut()
    await this.#running.idle()
  }
}
