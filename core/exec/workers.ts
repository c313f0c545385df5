import type { Clock } from '../runtime/clock.js'
import { Fault } from '../sdk/index.js'
import type { Workers } from './types.js'
import { ask, start, unwrap, type PoolThread } from './pool-thread.js'
import { takePlace } from './take-place.js'
import { Semaphore } from '../runtime/semaphore.js'
import { usedTime } from './work-time.js'

interface WorkersOptions {
  readonly clock: Clock
  /** Most threads. */
  readonly size: number
  /** Most threads of one caller while several callers wait, all by default. */
  readonly mostOfOne?: number
  /** Milliseconds of processor time that a thread of this process has used; null where the system does not report it. */
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
    const knowing = fitting.filter(({ modules }) => modules.has(href))
    // An unused thread may still be importing.
    const ready = knowing.findLast(({ uses }) => uses > 0)
    const thread = ready ?? knowing[0] ?? fitting[0] ?? start(heapMb, (gone) => idle.delete(gone))
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
          const reply = await ask({ clock, worker: thread.worker, message: { href: module.href, input }, timeoutMs, cancel, used })
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
