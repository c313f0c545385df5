import { Worker } from 'node:worker_threads'
import type { Cancel } from '../runtime/cancel.js'
import type { Clock } from '../runtime/clock.js'
import { Problem } from '../problems/problem.js'
import { answerOf, Fault } from '../sdk/index.js'
import { fromWire, toWire } from './fault-wire.js'
import { type ThreadTimes, TICK_MS, usedTime, WorkTime } from './work-time.js'
import type { Workers } from './types.js'
import { takePlace } from '../problems/no-place.js'
import { Semaphore } from '../runtime/semaphore.js'

const UNREADABLE = 'the content could not be read'
const NO_PROCESSOR = 'The machine was too busy to read the content in time.'
const RETRY_S = 5
/** Time for a thread to start and to import a module, in milliseconds. */
const START_MS = 10_000
/** Elapsed time of work that waits for a processor, as a multiple of its limit. */
const MOST_WAITS = 5
/** Work interrupted by the call's end is itself too slow when it used at least this share of the time. */
const MOSTLY = 0.5

/** A thread of a pool, and the modules that it has imported. */
export interface PoolThread {
  readonly worker: Worker
  readonly heapMb: number
  readonly modules: Set<string>
  uses: number
  idle: () => void
}

/** Starts a thread; `onEnd` is called when it has ended for any reason. */
function start(heapMb: number, onEnd: (thread: PoolThread) => void): PoolThread {
  const worker = new Worker(new URL('./worker-thread.js', import.meta.url), {
    // Parsers must not see secrets of the gateway.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: Math.max(4, Math.min(24, Math.floor(heapMb / 4))) },
  })
  const thread: PoolThread = { worker, heapMb, modules: new Set(), uses: 0, idle: () => undefined }
  // An error while idle concerns no call; the thread ends and leaves the pool.
  worker.on('error', () => undefined)
  worker.once('exit', () => {
    thread.idle()
    onEnd(thread)
  })
  return thread
}

interface ThreadTask {
  readonly clock: Clock
  readonly worker: Worker
  readonly message: { readonly href: string; readonly input: unknown }
  /** Time of the work itself, once the thread has started and imported the module. */
  readonly timeoutMs: number
  readonly cancel: Cancel
  /** Milliseconds of processor time that a thread has used; null where the system does not report it. */
  readonly used: (thread: number) => number | null
}

/**
 * The thread's reply. Rejects with a Fault when time or heap is exhausted or the call ends; the thread is then
 * unusable. Work that exceeded its own time is `blocked`; work that waited too long for a processor or for its thread
 * is `busy` (`overloaded` to the caller).
 */
function request({ clock, worker, message, timeoutMs, cancel, used }: ThreadTask): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let time: WorkTime | null = null
    const late = (): Fault => {
      if (time === null) return tooBusy('A thread did not start in time.')
      const own = time.own()
      const isOwn = own > timeoutMs - TICK_MS || own >= time.elapsed() * MOSTLY
      return isOwn ? new Fault('blocked', 'the content took too long to read', { costly: true }) : tooBusy(NO_PROCESSOR)
    }
    const check = (begun: WorkTime): void => {
      const left = timeoutMs - begun.own()
      const room = Math.min(timeoutMs * MOST_WAITS - begun.elapsed(), cancel.timeLeft())
      if (left < TICK_MS || room <= 0) settle(() => reject(late()))
      else stop = clock.after(Math.min(left, room), () => check(begun))
    }
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
    const onMessage = (reply: unknown): void => {
      const began = beginningOf(reply)
      if (began === undefined) return settle(() => resolve(reply))
      const begun = new WorkTime({ now: () => clock.monotonic(), began, used, loop: worker.performance.eventLoopUtilization })
      time = begun
      stop()
      stop = clock.after(Math.min(timeoutMs, cancel.timeLeft()), () => check(begun))
    }
    const settle = (then: () => void): void => {
      stop()
      forget()
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      then()
    }
    worker.on('message', onMessage).once('error', onError).once('exit', onExit)
    let stop = clock.after(Math.min(START_MS, cancel.timeLeft()), () => settle(() => reject(late())))
    const forget = cancel.onCancel((reason) => {
      const isLate = reason === 'deadline' || reason === 'step-timeout'
      queueMicrotask(() => settle(() => reject(isLate ? late() : new Fault('busy', 'the call was over before the content was read'))))
    })
    worker.postMessage(message)
  })
}

function tooBusy(sentence: string): Fault {
  const cause = new Problem('overloaded', sentence, { retryAfterSeconds: RETRY_S })
  return new Fault('busy', sentence, { unavailable: true, retryAfterSeconds: RETRY_S, cause })
}

/** The times in the thread's message that it starts the work; undefined for any other message. */
function beginningOf(message: unknown): ThreadTimes | null | undefined {
  return typeof message === 'object' && message !== null && 'began' in message ? answerOf<ThreadTimes | null>(message.began) : undefined
}

/** The result in a reply; throws the Fault in a failed one. */
function unwrap(reply: unknown): unknown {
  if (typeof reply === 'object' && reply !== null && 'ok' in reply && reply.ok === true && 'result' in reply) return reply.result
  throw fromWire(typeof reply === 'object' && reply !== null && 'error' in reply ? reply.error : reply, UNREADABLE)
}

interface WorkersOptions {
  readonly clock: Clock
  /** Most threads. */
  readonly size: number
  /** Most threads of one caller while several callers wait, all by default. */
  readonly mostOfOne?: number
  /** Processor time of a thread of this process in milliseconds; null where the system does not report it. */
  readonly used?: (thread: number) => number | null
}

const DEFAULT_TIMEOUT_MS = 10_000
const DEFAULT_HEAP_MB = 256
const IDLE_MS = 60_000
/** A thread is replaced after this many pieces of work, so that leaks of parsers do not accumulate. */
const REUSES = 200
/** Its successor is prepared this many pieces of work earlier. */
const SUCCESSOR_BEFORE = 20

/** A pool of worker threads that keep their imported modules. Work that takes too long or too much heap, or is cancelled, ends its thread. */
export function createWorkers({ clock, size, mostOfOne = size, used = usedTime }: WorkersOptions): Workers {
  const places = new Semaphore(clock, size, { mostOfOne })
  const idle = new Set<PoolThread>()
  const busy = new Set<PoolThread>()
  let closed = false

  const take = (href: string, heapMb: number): PoolThread => {
    const fitting = [...idle].filter((thread) => thread.heapMb === heapMb)
    const loaded = fitting.filter(({ modules }) => modules.has(href))
    // An unused thread may still be importing.
    const ready = loaded.findLast(({ uses }) => uses > 0)
    const thread = ready ?? loaded[0] ?? fitting[0] ?? start(heapMb, (gone) => idle.delete(gone))
    // Without this, threads of another heap size would exceed the size of the pool.
    if (!idle.delete(thread) && idle.size + busy.size >= size) for (const other of [...idle].slice(0, 1)) end(other)
    thread.idle()
    thread.modules.add(href)
    thread.uses += 1
    busy.add(thread)
    if (thread.uses === REUSES - SUCCESSOR_BEFORE) prepare(another(heapMb), thread)
    return thread
  }
  /** Starts a thread, which waits for work. */
  const another = (heapMb: number): PoolThread => {
    const thread = start(heapMb, (gone) => idle.delete(gone))
    rest(thread)
    return thread
  }
  /** Imports the modules of another thread in advance: an import takes longer than most work. */
  const prepare = (thread: PoolThread, { modules }: PoolThread): void => {
    for (const href of modules) {
      if (thread.modules.has(href)) continue
      thread.modules.add(href)
      thread.worker.postMessage({ href, prepare: true })
    }
  }
  /** Prepares a thread for other callers when one is taken or lost. */
  const spare = (thread: PoolThread, caller: string): void => {
    if (closed || !places.isOneOfSeveral(caller)) return
    const left = [...idle].find(({ heapMb }) => heapMb === thread.heapMb)
    if (left !== undefined) {
      // Kept while other callers use it.
      left.idle()
      rest(left)
      prepare(left, thread)
    } else if (idle.size + busy.size < size) prepare(another(thread.heapMb), thread)
  }
  const end = (thread: PoolThread): void => {
    thread.idle()
    idle.delete(thread)
    busy.delete(thread)
    void thread.worker.terminate()
  }
  const releaseThread = (thread: PoolThread): void => {
    busy.delete(thread)
    if (closed || thread.uses >= REUSES) end(thread)
    else rest(thread)
  }
  const rest = (thread: PoolThread): void => {
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
        spare(thread, cancel.caller)
        try {
          const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS
          const message = { href: module.href, input }
          const reply = await request({ clock, worker: thread.worker, message, timeoutMs, cancel, used })
          releaseThread(thread)
          return unwrap(reply)
        } catch (error) {
          if (busy.has(thread)) end(thread)
          spare(thread, cancel.caller)
          throw error
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
