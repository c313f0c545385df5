import { setImmediate as turn } from 'node:timers/promises'
import type { Cancel } from '../runtime/cancel.js'
import type { Clock } from '../runtime/clock.js'
import { noPlaceFault } from '../problems/no-place.js'
import { Fault } from '../sdk/index.js'
import { NoPlace, Semaphore } from '../runtime/semaphore.js'
import { attach } from '../runtime/detach.js'
import { GrowingBuffer } from '../runtime/growing-buffer.js'
import { IdleThread, ThreadFailure } from '../runtime/idle-thread.js'
import type { ReadBody, ReplyForm } from './reply-body.js'
import type { ReplyRead, ReplyToRead } from './reply-worker.js'

/** Bytes of replies that may wait for the thread. */
const MOST_WAITING = 64 * 1024 * 1024
const UNREADABLE = 'the vendor answered with a body that cannot be read'

/** Parses large vendor replies on a separate thread, so that they do not block the event loop. */
export class LargeReplies {
  readonly #thread: IdleThread<ReplyToRead, ReplyRead>
  readonly #place: Semaphore

  constructor(clock: Clock, script = new URL('./reply-worker.js', import.meta.url)) {
    this.#place = new Semaphore(clock, 1, { mostBytes: MOST_WAITING })
    this.#thread = new IdleThread(clock, { script, name: 'large replies' })
  }

  /**
   * The same as `readBody`, one reply at a time, accounts in turn; the bytes may be detached afterwards. Throws Fault `busy` when too many
   * wait, `broken` when the reply cannot be read; ambiguous for a call that acts `once`, since the vendor has answered.
   */
  async read(bytes: Uint8Array, form: ReplyForm, { cancel, once }: { readonly cancel: Cancel; readonly once: boolean }): Promise<ReadBody> {
    const leave = await this.#place.take(cancel, bytes.length).catch((error: unknown) => {
      throw error instanceof NoPlace ? noPlaceFault(error, 'Too many large replies of vendors are waiting to be parsed.', once) : error
    })
    try {
      const { length } = bytes
      const buffer = movable(bytes)
      const reply = await this.#thread.request({ ...form, buffer, length }, [buffer])
      if (reply === null)
        throw new Fault('broken', UNREADABLE, { internal: 'the fields of the reply have too many different names', ambiguous: once })
      const read = bodyOf(await attach(reply))
      // The caller's work on it is a separate turn of the event loop.
      await turn()
      return read
    } catch (error) {
      if (error instanceof ThreadFailure) throw new Fault('broken', UNREADABLE, { internal: error.message, cause: error, ambiguous: once })
      throw error
    } finally {
      this.#thread.rest()
      leave()
    }
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    await this.#thread.close()
  }
}

/** Transferable memory that begins with these bytes: their own buffer where it is a GrowingBuffer's, else a copy. */
function movable(bytes: Uint8Array): ArrayBuffer {
  const { buffer, byteOffset } = bytes
  if (buffer instanceof ArrayBuffer && buffer.resizable && byteOffset === 0) return buffer
  const growing = new GrowingBuffer(bytes.length)
  growing.append(bytes)
  return growing.buffer
}

function bodyOf(value: unknown): ReadBody {
  if (typeof value !== 'object' || value === null || !('body' in value) || !('fits' in value)) throw new Error('the thread sent no body')
  return { body: value.body, fits: value.fits === true }
}
