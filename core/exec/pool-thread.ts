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
/** For a thread to start and to import a module, in milliseconds. */
const START_MS = 10_000
/** Work that waits for a processor may take this many times its limit. */
const MOST_WAITS = 5
/** Work that the call's end cuts short took too long by itself when it had this share of the time. */
const MOSTLY = 0.5

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
  readonly message: { readonly href: string; readonly input: unknown }
  /** For the work, once the thread has started and imported the module. */
  readonly timeoutMs: number
  readonly cancel: Cancel
  /** Milliseconds of processor time that a thread has used; null where the system does not tell. */
  readonly used: (thread: number) => number | null
}

/**
 * The thread's reply. Rejects with a Fault when time, heap or the call is over; the thread is of no more use then. Work whose own time is over is
 * `blocked`; work that waited for a processor too long, or in vain for its thread to start, is `busy` and for the caller `overloaded`.
 */
export function ask({ clock, worker, message, timeoutMs, cancel, used }: Question): Promise<unknown> {
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

/** The times with which the thread says that it begins the work; undefined for any other message. */
function beginningOf(message: unknown): ThreadTimes | null | undefined {
  return typeof message === 'object' && message !== null && 'began' in message ? answerOf<ThreadTimes | null>(message.began) : undefined
}

/** The result that a reply brings; throws the Fault that it brings instead. */
export function unwrap(reply: unknown): unknown {
  if (typeof reply === 'object' && reply !== null && 'ok' in reply && reply.ok === true && 'result' in reply) return reply.result
  throw fromWire(typeof reply === 'object' && reply !== null && 'error' in reply ? reply.error : reply, UNREADABLE)
}
