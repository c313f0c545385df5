import { readFileSync } from 'node:fs'
import { performance, type EventLoopUtilityFunction } from 'node:perf_hooks'
import { codeOf } from '../problems/own-shortage.js'

/** Linux reports processor times in hundredths of a second (proc_pid_stat(5)). */
export const TICK_MS = 10

/** The times of a thread at one moment, in milliseconds. */
export interface ThreadTimes {
  readonly thread: number
  /** Processor time that it has used. */
  readonly usedMs: number
  /** Time in which its event loop was idle. */
  readonly idleMs: number
}

/** The times of the calling thread; null on a system that does not report them. */
export function ownTimes(): ThreadTimes | null {
  const found = readStat('/proc/thread-self/stat')
  return found === null ? null : { ...found, idleMs: performance.eventLoopUtilization().idle }
}

/** Milliseconds of processor time that a thread of this process has used, even while it is busy; null on a system that does not report them. */
export function usedTime(thread: number): number | null {
  return readStat(`/proc/self/task/${thread}/stat`)?.usedMs ?? null
}

function readStat(path: string): Pick<ThreadTimes, 'thread' | 'usedMs'> | null {
  let text: string
  try {
    text = readFileSync(path, 'latin1')
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES'].includes(codeOf(error))) return null
    throw error
  }
  // The name in the second field may contain anything. utime and stime are the fields 14 and 15.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [thread, ticks] = [Number.parseInt(text, 10), Number(fields[11]) + Number(fields[12])]
  return Number.isSafeInteger(thread) && Number.isSafeInteger(ticks) ? { thread, usedMs: ticks * TICK_MS } : null
}

interface WorkTimeOptions {
  /** Milliseconds now, of a clock that never jumps. */
  readonly now: () => number
  /** The times when the work began; null where the system does not report them. */
  readonly began: ThreadTimes | null
  readonly loop: EventLoopUtilityFunction
  /** As `usedTime`. */
  readonly used: (thread: number) => number | null
}

/** The time of one piece of work in a thread, excluding waiting for a processor. */
export class WorkTime {
  readonly #options: WorkTimeOptions
  readonly #beganAt: number

  constructor(options: WorkTimeOptions) {
    this.#options = options
    this.#beganAt = options.now()
  }

  /** Milliseconds since the work began. */
  elapsed(): number {
    return this.#options.now() - this.#beganAt
  }

  /**
   * Milliseconds in which the thread used a processor or waited for something else; at most `elapsed`, and equal to it where the system does not report times.
   */
  own(): number {
    const { began, loop, used } = this.#options
    const usedMs = began === null ? null : used(began.thread)
    if (began === null || usedMs === null) return this.elapsed()
    return Math.min(this.elapsed(), usedMs - began.usedMs + loop().idle - began.idleMs)
  }
}
