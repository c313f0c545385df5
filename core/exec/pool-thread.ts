import { Worker } from 'node:worker_threads'
import type { Cancel } from '../runtime/cancel.js'
import type { Clock } from '../runtime/clock.js'
import { Problem } from '../problems/problem.js'
import { answerOf, Fault } from '../sdk/index.js'
import { fromWire, toWire } from './fault-wire.js'
import { TICK_MS, WorkTime, type ThreadTimes } from './work-time.js'

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
export function start(heapMb: number, onEnd: (thread: PoolThread) => void): PoolThread {
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
 * The thread's reply. Rejects with a Fault when time or heap is exhausted or the call ends; the thread is then unusable. Work that exceeded
 * its own time is `blocked`; work that waited too long for a processor or for its thread is `busy` (`overloaded` to the caller).
 */
export function ask({ clock, worker, message, timeoutMs, cancel, used }: ThreadTask): Promise<unknown> {
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
export function unwrap(reply: unknown): unknown {
  if (typeof reply === 'object' && reply !== null && 'ok' in reply && reply.ok === true && 'result' in reply) return reply.result
  throw fromWire(typeof reply === 'object' && reply !== null && 'error' in reply ? reply.error : reply, UNREADABLE)
}
