import type { Cancel } from '../runtime/cancel.js'
import type { Clock } from '../runtime/clock.js'
import type { ExecResult } from '../sdk/index.js'
import type { Job } from './job.js'
import type { UserLease } from './lease.js'
import type { JobLimits } from './limits.js'
import { filesOf, treeMemory, watch } from './watchdog.js'

const MIB = 1024 * 1024
/** Each file costs about a kibibyte of kernel memory, even an empty one. */
const MAX_FILES = 100_000

export type Stop = Exclude<ExecResult['stopped'], null>

/** Supervises a running job and kills all of it, once, for the first reason. */
export class Supervisor {
  readonly #job: Job
  readonly #clock: Clock
  #stopTimer: () => void
  readonly #forget: readonly (() => void)[]
  stopped: Stop | null = null

  /** Time and memory are limited by `limits`; a cancelled call also ends the job, at its deadline as `time`. */
  constructor(clock: Clock, job: Job, lease: UserLease, { limits, cancel }: { limits: JobLimits; cancel: Cancel }) {
    this.#job = job
    this.#clock = clock
    this.#stopTimer = clock.after(limits.timeoutMs, () => this.stop('time'))
    const most = limits.memoryMb * MIB
    const measure = async (): Promise<number | null> => (await lease.group?.memory()) ?? treeMemory(job.inside(), most / 2)
    this.#forget = [
      watch(
        clock,
        () => filesOf(job.inside()),
        MAX_FILES,
        () => this.stop('memory'),
      ),
      watch(clock, measure, most, () => this.stop('memory')),
      cancel.onCancel((reason) => this.stop(reason === 'deadline' || reason === 'step-timeout' ? 'time' : 'aborted')),
    ]
  }

  /** Kills the whole job. */
  stop(reason: Stop): void {
    this.stopped ??= reason
    this.#job.kill()
  }

  /** The program ended in time; the rest of the job gets `ms` milliseconds. */
  extend(ms: number, onEnd: () => void): void {
    this.#stopTimer()
    this.#stopTimer = this.#clock.after(ms, onEnd)
  }

  /** Ends the supervision. */
  done(): void {
    this.#stopTimer()
    for (const forget of this.#forget) forget()
  }
}
