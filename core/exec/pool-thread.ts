import { Worker } from 'node:worker_threads'
import type { Cancel } from '../runtime/cancel.js'
import type { Clock } from '../runtime/clock.js'
import { Fault } from '../sdk/index.js'
import { fromWire, toWire } from './fault-wire.js'

const UNREADABLE = 'the content could not be read'

/** A thread of a pool, and the modules that it has imported. */
export interface Thread {
  readonly worker: Worker
  readonly heapMb: number
  readonly modules: Set<string>
  uses: number
  idle: () => void
}

/** Starts one; `onEnd` is called when it has ended, however. */
export function start(heapMb: number, onEnd: (thread: Thread) => void): Thread {
  const worker = new Worker(new URL('./worker-thread.js', import.meta.url), {
    // Secrets of the gateway are not for parsers.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: Math.max(4, Math.min(24, Math.floor(heapMb / 4))) },
  })
  const thread: Thread = { worker, heapMb, modules: new Set(), uses: 0, idle: () => undefined }
  // An error while idle has nobody to tell; the thread ends with it and leaves the pool.
  worker.on('error', () => undefined)
  worker.once('exit', () => {
    thread.idle()
    onEnd(thread)
  })
  return thread
}

interface Question {
  readonly clock: Clock
  readonly worker: Worker
  readonly message: { readonly href: string; readonly input: unknown } | { readonly href: string; readonly load: true }
  readonly timeoutMs: number
  readonly cancel: Cancel
}

/** The thread's reply. Rejects with a Fault when time, heap or the call is over; the thread is of no more use then. */
export function ask({ clock, worker, message, timeoutMs, cancel }: Question): Promise<unknown> {
  const tooLong = (): Fault => new Fault('blocked', 'the content took too long to read', { costly: true })
  return new Promise((resolve, reject) => {
    const onError = (error: Error): void => {
      const outOfHeap = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      settle(() =>
        reject(
          outOfHeap
            ? new Fault('blocked', 'the content needs too much memory to read', { costly: true })
            : fromWire(toWire(error), UNREADABLE),
        ),
      )
    }
    const onExit = (): void => settle(() => reject(new Fault('broken', UNREADABLE, { internal: 'the worker thread ended early' })))
    const onMessage = (reply: unknown): void => settle(() => resolve(reply))
    const settle = (then: () => void): void => {
      stop()
      forget()
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      then()
    }
    worker.once('message', onMessage).once('error', onError).once('exit', onExit)
    const stop = clock.after(timeoutMs, () => settle(() => reject(tooLong())))
    const forget = cancel.onCancel((reason) => {
      const late = reason === 'deadline' || reason === 'step-timeout'
      queueMicrotask(() => settle(() => reject(late ? tooLong() : new Fault('busy', 'the call was over before the content was read'))))
    })
    worker.postMessage(message)
  })
}

/** The result that a reply brings; throws the Fault that it brings instead. */
export function unwrap(reply: unknown): unknown {
  if (typeof reply === 'object' && reply !== null && 'ok' in reply && reply.ok === true && 'result' in reply) return reply.result
  throw fromWire(typeof reply === 'object' && reply !== null && 'error' in reply ? reply.error : reply, UNREADABLE)
}
