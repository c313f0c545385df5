import { Worker } from 'node:worker_threads'
import type { Cancel } from '../cancel.js'
import type { Clock } from '../clock.js'
import { Fault } from '../sdk/index.js'
import { fromWire, toWire } from './fault-wire.js'
import type { Workers } from './port.js'
import { takePlace } from './take-place.js'
import { Semaphore } from '../semaphore.js'

export interface WorkersOptions {
  readonly clock: Clock
  /** Threads at once. */
  readonly size: number
  /** Threads of one caller at most while several ask, all by default. */
  readonly mostOfOne?: number
}

const DEFAULT_TIMEOUT_MS = 10_000
const DEFAULT_HEAP_MB = 256
const UNREADABLE = 'the content could not be read'
const IDLE_MS = 60_000
/** Behind work that takes longer than this another thread is prepared for the next, in milliseconds. */
const LONG_MS = 200
/** A thread is replaced after this many pieces of work, so that leaks of parsers do not pile up. */
const REUSES = 200

interface Thread {
  readonly worker: Worker
  readonly heapMb: number
  readonly modules: Set<string>
  uses: number
  idle: () => void
}

/** A pool of worker threads that keep their imported modules. Work that takes too long, too much heap, or is cancelled loses its thread. */
export function createWorkers({ clock, size, mostOfOne = size }: WorkersOptions): Workers {
  const places = new Semaphore(clock, size, { mostOfOne })
  const idle = new Set<Thread>()
  const busy = new Set<Thread>()
  let closed = false

  const take = (href: string, heapMb: number): Thread => {
    const fitting = [...idle].filter((thread) => thread.heapMb === heapMb)
    const thread = fitting.find(({ modules }) => modules.has(href)) ?? fitting[0] ?? start(heapMb, (gone) => idle.delete(gone))
    // Threads of another heap size would keep the pool above its size.
    if (!idle.delete(thread) && idle.size + busy.size >= size) for (const other of [...idle].slice(0, 1)) end(other)
    thread.idle()
    thread.modules.add(href)
    thread.uses += 1
    busy.add(thread)
    return thread
  }
  /** Importing takes longer than most work does, so it is done before anybody waits for it. */
  const prepare = (href: string, heapMb: number): void => {
    if (closed || idle.size + busy.size >= size || [...idle].some((thread) => thread.heapMb === heapMb && thread.modules.has(href))) return
    const thread = start(heapMb, (gone) => idle.delete(gone))
    thread.modules.add(href)
    thread.worker.postMessage({ href, prepare: true })
    rest(thread)
  }
  const end = (thread: Thread): void => {
    thread.idle()
    idle.delete(thread)
    busy.delete(thread)
    void thread.worker.terminate()
  }
  const giveBack = (thread: Thread): void => {
    busy.delete(thread)
    if (closed || thread.uses >= REUSES) end(thread)
    else rest(thread)
  }
  const rest = (thread: Thread): void => {
    idle.add(thread)
    thread.worker.unref()
    thread.idle = clock.after(IDLE_MS, () => end(thread))
  }

  return {
    run: async (module, input, options, cancel) => {
      if (closed) throw new Fault('busy', 'the gateway is stopping')
      const release = await takePlace(places, cancel, 'thread')
      try {
        const heapMb = options.heapMb ?? DEFAULT_HEAP_MB
        const thread = take(module.href, heapMb)
        thread.worker.ref()
        const forget = clock.after(LONG_MS, () => prepare(module.href, heapMb))
        try {
          const timeoutMs = Math.min(options.timeoutMs ?? DEFAULT_TIMEOUT_MS, cancel.timeLeft())
          const reply = await ask({ clock, worker: thread.worker, message: { href: module.href, input }, timeoutMs, cancel })
          giveBack(thread)
          return unwrap(reply)
        } catch (error) {
          if (busy.has(thread)) end(thread)
          throw error
        } finally {
          forget()
        }
      } finally {
        release()
      }
    },
    close: async () => {
      closed = true
      const threads = [...idle, ...busy]
      for (const thread of threads) thread.idle()
      idle.clear()
      await Promise.all(threads.map(({ worker }) => worker.terminate()))
    },
  }
}

function start(heapMb: number, onEnd: (thread: Thread) => void): Thread {
  const worker = new Worker(new URL('./worker-thread.js', import.meta.url), {
    // Secrets of the gateway are not for parsers.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: Math.max(4, Math.min(32, Math.floor(heapMb / 4))) },
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
  readonly message: { readonly href: string; readonly input: unknown }
  readonly timeoutMs: number
  readonly cancel: Cancel
}

/** The thread's reply. Rejects with a Fault when time, heap or the call is over; the thread is of no more use then. */
function ask({ clock, worker, message, timeoutMs, cancel }: Question): Promise<unknown> {
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

function unwrap(reply: unknown): unknown {
  if (typeof reply === 'object' && reply !== null && 'ok' in reply && reply.ok === true && 'result' in reply) return reply.result
  throw fromWire(typeof reply === 'object' && reply !== null && 'error' in reply ? reply.error : reply, UNREADABLE)
}
