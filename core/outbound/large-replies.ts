import { setImmediate as turn } from 'node:timers/promises'
import type { Clock } from '../clock.js'
import { Fault } from '../sdk/index.js'
import { attach } from '../threads/detach.js'
import { FairQueue } from '../threads/fair-queue.js'
import { GrowingBuffer } from '../threads/growing-buffer.js'
import { IdleThread, ThreadFailure } from '../threads/idle-thread.js'
import type { ReadBody, ReplyForm } from './reply-body.js'
import type { ReplyRead, ReplyToRead } from './reply-worker.js'

/** Bytes of replies that may wait for the thread. */
const MOST_WAITING = 64 * 1024 * 1024
const UNREADABLE = 'the vendor answered with a body that cannot be read'

/** Reads large replies of vendors on a thread of their own, so that the event loop waits for none of them. */
export class LargeReplies {
  readonly #thread: IdleThread<ReplyToRead, ReplyRead>
  readonly #queue = new FairQueue(MOST_WAITING)

  constructor(clock: Clock, script = new URL('./reply-worker.js', import.meta.url)) {
    this.#thread = new IdleThread(clock, { script, name: 'large replies' })
  }

  /** The same as `readBody`, one reply at a time, vendors by turns. Throws a Fault `busy` when too many wait, `broken` when it is not to be read. */
  async read(bytes: Uint8Array, form: ReplyForm, vendor: string): Promise<ReadBody> {
    const place = this.#queue.take(vendor, bytes.length)
    if (place === null) throw new Fault('busy', 'too many large replies of vendors wait to be read', { retryAfterSeconds: 5 })
    const leave = await place
    try {
      const growing = new GrowingBuffer(bytes.length)
      growing.append(bytes)
      const reply = await this.#thread.ask({ ...form, buffer: growing.buffer, length: bytes.length }, [growing.buffer])
      if (reply === null) throw new Fault('broken', UNREADABLE, { internal: 'the fields of the reply have too many different names' })
      const read = bodyOf(await attach(reply))
      // What is made of it is a turn of its own.
      await turn()
      return read
    } catch (error) {
      if (error instanceof ThreadFailure) throw new Fault('broken', UNREADABLE, { internal: error.message, cause: error })
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

function bodyOf(value: unknown): ReadBody {
  if (typeof value !== 'object' || value === null || !('body' in value) || !('fits' in value)) throw new Error('the thread sent no body')
  return { body: value.body, fits: value.fits === true }
}
