import { readdir, readFile, statfs } from 'node:fs/promises'
import type { Cancel } from '../runtime/cancel.js'
import type { Clock } from '../runtime/clock.js'
import type { ExecResult } from '../sdk/index.js'
import type { SandboxJob } from './job.js'
import type { UserLease } from './lease.js'
import type { JobLimits } from './limits.js'

const TICK_MS = 20
/** Far below the limit only every fifth tick measures. */
const SLOW_TICKS = 5
const KIB = 1024

/**
 * Measures every 100 ms, from half of the limit every 20 ms, and calls back once when two consecutive measurements exceed the limit:
 * processes are read one after the other, so a page that more of them map meanwhile is counted too often. `measure` returns null when
 * there is nothing left to count.
 */
export function watch(clock: Clock, measure: () => Promise<number | null>, limit: number, onOver: () => void): () => void {
  let busy = false
  let skip = 0
  const passed = (amount: number | null): amount is number => amount !== null && amount > limit
  const stop = clock.every(TICK_MS, () => {
    skip -= 1
    if (busy || skip > 0) return
    busy = true
    void measure()
      .then(async (amount) => (passed(amount) ? await measure() : amount))
      // The job may end while it is measured; a failed measurement is repeated.
      .catch(() => null)
      .then((amount) => {
        busy = false
        skip = amount === null || amount <= limit / 2 ? SLOW_TICKS : 0
        if (!passed(amount)) return
        stop()
        onOver()
      })
  })
  return stop
}

/** Number of files in the writable folders of a job, read through its first process (proc(5): root). A tmpfs limits bytes, not empty files. */
async function filesOf(root: number): Promise<number | null> {
  if (root === 0) return null
  const places = await Promise.all(['/job', '/dev/shm'].map((place) => statfs(`/proc/${root}/root${place}`)))
  return places.reduce((sum, { files, ffree }) => sum + files - ffree, 0)
}

/**
 * Bytes of anonymous, shared and swapped memory of a process and its descendants, without a memory group; null for 0.
 * Below `enough` the kernel's counters (proc(5): status) suffice, which count a page once for each process that maps it.
 * The proportional share (smaps_rollup) counts it once, but walks all pages; unreadable shares are counted by counters.
 * Orphans stay below the namespace's first process.
 */
export async function treeMemory(root: number, enough = 0): Promise<number | null> {
  if (root === 0) return null
  const pids = await tree(root)
  const counted = await Promise.all(pids.map(counters))
  const upper = sum(counted)
  if (upper <= enough) return upper
  return sum(await Promise.all(pids.map(async (pid, index) => (await proportional(pid)) ?? counted[index] ?? 0)))
}

async function tree(root: number): Promise<number[]> {
  const seen = new Set<number>()
  const visit = async (pid: number): Promise<void> => {
    if (seen.has(pid)) return
    seen.add(pid)
    const tasks = await readdir(`/proc/${pid}/task`).catch(() => [])
    const lists = await Promise.all(tasks.map((task) => read(`/proc/${pid}/task/${task}/children`)))
    const children = lists.flatMap((list) => list.split(/\s+/).filter((word) => word !== ''))
    await Promise.all(children.map((child) => visit(Number(child))))
  }
  await visit(root)
  return [...seen]
}

async function counters(pid: number): Promise<number> {
  return kibibytes(await read(`/proc/${pid}/status`), ['RssAnon', 'RssShmem', 'VmSwap']) ?? 0
}

async function proportional(pid: number): Promise<number | null> {
  const text = await read(`/proc/${pid}/smaps_rollup`)
  return kibibytes(text, ['Pss_Anon', 'Pss_Shmem', 'SwapPss']) ?? kibibytes(text, ['Pss', 'SwapPss'])
}

/** The sum of these fields in bytes, null when the first is missing. */
function kibibytes(text: string, names: readonly string[]): number | null {
  const values = names.map((name) => new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1])
  return values[0] === undefined ? null : sum(values.map((value = '0') => Number(value))) * KIB
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** Empty when the process ends while it is read, or belongs to another user. */
function read(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}

const MIB = 1024 * 1024
/** Each file costs about a kibibyte of kernel memory, even an empty one. */
const MAX_FILES = 100_000

export type Stop = Exclude<ExecResult['stopped'], null>

/** Supervises a running job and kills all of it, once, for the first reason. */
export class Supervisor {
  readonly #job: SandboxJob
  readonly #clock: Clock
  #stopTimer: () => void
  readonly #forget: readonly (() => void)[]
  stopped: Stop | null = null

  /** Time and memory are limited by `limits`; a cancelled call also ends the job, at its deadline as `time`. */
  constructor(clock: Clock, job: SandboxJob, lease: UserLease, { limits, cancel }: { limits: JobLimits; cancel: Cancel }) {
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
