import { availableParallelism } from 'node:os'
import { basename } from 'node:path'

/** Limits of one job; every field has a value. */
export interface JobLimits {
  /** MiB of anonymous memory of all processes together. */
  readonly memoryMb: number
  readonly processes: number
  readonly diskMb: number
  readonly timeoutMs: number
}

export const SHARED_MB = 16
/** Longest life of a program that waits for its work: an rlimit must be set when the processes start. */
export const LONGEST_MS = 6 * 3600 * 1000
const PRLIMIT = '/usr/bin/prlimit'
/** bwrap's init, the shell around the program and the proxy's forwarder with its threads. */
const HELPERS = 24
const OPEN_FILES = 512
/** Each socket may hold megabytes of kernel memory, which only a memory group counts. */
const OPEN_FILES_UNGROUPED = 256
const MIB = 1024 * 1024

/** Limits of the whole job. Files of the job folder are in memory, so the group limits both together; the watchdog limits the memory of processes alone. */
export function groupLimits({ memoryMb, processes, diskMb }: JobLimits): { memoryMb: number; processes: number; cpus: number } {
  return {
    memoryMb: memoryMb + diskMb + SHARED_MB,
    processes: processes + HELPERS,
    cpus: Math.max(1, Math.min(2, availableParallelism() - 1)),
  }
}

/**
 * The program wrapped in prlimit(1): rlimits of each process. Address space is limited only without a memory group, and only for programs
 * that do not reserve far more than they use (Node, Chromium and Java do); the watchdog counts the actual use.
 */
export function limited(program: string, args: readonly string[], limits: JobLimits, memoryGroup: boolean): string[] {
  const seconds = Math.ceil(limits.timeoutMs / 1000) + 1
  const space = !memoryGroup && /^(python[\d.]*|sh|bash|dash)$/.test(basename(program)) ? [`--as=${2 * limits.memoryMb * MIB}`] : []
  return [
    PRLIMIT,
    `--cpu=${seconds}`,
    `--fsize=${limits.diskMb * MIB}`,
    `--nproc=${limits.processes + HELPERS}`,
    `--nofile=${memoryGroup ? OPEN_FILES : OPEN_FILES_UNGROUPED}`,
    '--core=0',
    '--memlock=65536',
    '--msgqueue=819200',
    ...space,
    '--',
    program,
    ...args,
  ]
}

/** MiB of Node's heap, which leaves room for its code, stacks and buffers within the job's memory. */
export function heapMb(memoryMb: number): number {
  return Math.max(16, Math.floor(memoryMb * 0.75))
}
