import { existsSync, readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { dirname, join, relative } from 'node:path'
import type { Clock } from '../runtime/clock.js'

/** A line of /proc/self/mountinfo. */
interface Mount {
  readonly type: string
  readonly root: string
  readonly point: string
  readonly options: readonly string[]
}

/** The mounts of a process (proc(5), mountinfo). */
export function readMounts(text: string): Mount[] {
  return text.split('\n').flatMap((line) => {
    const [left, right] = line.split(' - ')
    const [type, , options] = right?.split(' ') ?? []
    const [, , , root, point] = left?.split(' ') ?? []
    return type === undefined || root === undefined || point === undefined
      ? []
      : [{ type, root, point, options: options?.split(',') ?? [] }]
  })
}

/** The folder of a control group below its mount; the mount point where the group is not visible. */
export function ownFolder(mount: Mount, path = '/'): string {
  const below = relative(mount.root, path)
  const folder = join(mount.point, below.startsWith('..') ? '' : below)
  return existsSync(folder) ? folder : mount.point
}

/**
 * Bytes of memory that this process may use: the lowest limit of its control group (version 1 or 2), of the groups above it, and the memory
 * of the machine. Tests pass another /proc/self.
 */
export function memoryLimit(self = '/proc/self', machine = totalmem()): number {
  if (!existsSync(`${self}/mountinfo`)) return machine
  const mounts = readMounts(readFileSync(`${self}/mountinfo`, 'utf8'))
  const groups = readFileSync(`${self}/cgroup`, 'utf8').trim().split('\n')
  const limits = mounts.flatMap((mount) => {
    const unified = mount.type === 'cgroup2'
    if (!unified && !(mount.type === 'cgroup' && mount.options.includes('memory'))) return []
    const group = groups.map((line) => line.split(':')).find(([, names]) => (unified ? names === '' : names?.split(',').includes('memory')))
    return limitsUpwards(ownFolder(mount, group?.[2]), mount.point, unified ? 'memory.max' : 'memory.limit_in_bytes')
  })
  return Math.min(machine, ...limits)
}

function limitsUpwards(folder: string, top: string, file: string): number[] {
  const limits: number[] = []
  for (let at = folder; ; at = dirname(at)) {
    // The root group of version 2 has no such file.
    const text = existsSync(join(at, file)) ? readFileSync(join(at, file), 'utf8').trim() : 'max'
    if (/^[1-9]\d*$/.test(text)) limits.push(Number(text))
    if (at === top || at === dirname(at)) return limits
  }
}

/** Validity of a limit once read, in milliseconds: operators may change it while a process runs. */
const CURRENT_MS = 60_000

/** The memory limit of this process, read again after a minute. */
export function currentMemoryLimit(clock: Clock, read: () => number = memoryLimit): () => number {
  let limit = read()
  let readAt = clock.monotonic()
  return () => {
    if (clock.monotonic() - readAt < CURRENT_MS) return limit
    readAt = clock.monotonic()
    return (limit = read())
  }
}
