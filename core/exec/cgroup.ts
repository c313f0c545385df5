import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { locate } from './cgroup-places.js'
import type { Controller, GroupPlaces } from './cgroup-places.js'
import { groupProcessors, WEIGHT, type GroupProcessors } from './group-processors.js'

interface GroupLimits {
  readonly memoryMb: number
  readonly processes: number
  /** Number of processors; may be fractional, such as 1.5. */
  readonly cpus: number
}

/** A control group of one job: limits on all its processes together. */
export interface JobGroup {
  /** Moves a process in; its children follow. */
  join(pid: number): Promise<void>
  /** Bytes of anonymous memory in use, excluding files of the job folder; null where it is not counted. */
  memory(): Promise<number | null>
  /** True when the kernel's OOM killer ended a process of the group. */
  outOfMemory(): boolean
  /** Null where its processor share cannot be set. */
  readonly processors: GroupProcessors | null
  /** The folders of the group, for scripts that join it themselves. */
  readonly folders: readonly string[]
  /** Kills all processes of the group. */
  kill(): void
  /** False while processes of the group are still being torn down. */
  tryRemove(): boolean
}

/** Creates control groups; `controllers` is empty where none are writable and only rlimits apply. */
export interface Groups {
  readonly version: 1 | 2 | null
  readonly controllers: ReadonlySet<Controller>
  /** Folders in which groups are created, for the sweeper. */
  readonly parents: readonly string[]
  create(name: string, limits: GroupLimits): JobGroup
}

const MIB = 1024 * 1024
const PERIOD = 100_000

const FILES = {
  1: { memory: 'memory.limit_in_bytes', stat: /^total_rss (\d+)/m, events: 'memory.oom_control' },
  2: { memory: 'memory.max', stat: /^anon (\d+)/m, events: 'memory.events' },
} as const

/** The control groups that this process may create (cgroups(7): version 2 delegated subtree, else version 1). */
export function findGroups(): Groups {
  return groupsAt(locate())
}

/** Groups in known folders. */
export function groupsAt(places: GroupPlaces): Groups {
  const parents = [...new Set(places.folders.values())]
  return {
    version: places.version,
    controllers: new Set(places.folders.keys()),
    parents,
    create: (name, limits) => {
      for (const parent of parents) mkdirSync(join(parent, name))
      limit(places, name, limits)
      return group(
        places,
        name,
        parents.map((parent) => join(parent, name)),
      )
    },
  }
}

function limit({ version, folders }: GroupPlaces, name: string, limits: GroupLimits): void {
  const set = (controller: Controller, file: string, value: string, must = true): void => {
    const parent = folders.get(controller)
    if (parent === undefined) return
    try {
      writeFileSync(join(parent, name, file), value)
    } catch (error) {
      if (must) throw error
    }
  }
  if (version === null) return
  const bytes = String(limits.memoryMb * MIB)
  set('memory', FILES[version].memory, bytes)
  // Without swap accounting these files do not exist.
  set('memory', version === 1 ? 'memory.memsw.limit_in_bytes' : 'memory.swap.max', version === 1 ? bytes : '0', false)
  set('pids', 'pids.max', String(limits.processes))
  const quota = String(Math.round(limits.cpus * PERIOD))
  if (version === 1) set('cpu', 'cpu.cfs_quota_us', quota, false)
  else set('cpu', 'cpu.max', `${quota} ${PERIOD}`, false)
  set('cpu', WEIGHT[version].file, WEIGHT[version].usual, false)
}

function group({ version, folders }: GroupPlaces, name: string, own: readonly string[]): JobGroup {
  const parent = folders.get('memory')
  const memory = parent === undefined || version === null ? null : { ...FILES[version], folder: join(parent, name) }
  const [cpu, counting] = [folders.get('cpu'), folders.get(version === 1 ? 'cpuacct' : 'cpu')]
  return {
    folders: own,
    processors:
      cpu === undefined || counting === undefined || version === null
        ? null
        : groupProcessors(version, join(cpu, name), join(counting, name)),
    join: async (pid) => {
      await Promise.all(own.map((folder) => writeFile(join(folder, 'cgroup.procs'), String(pid))))
    },
    memory: async () => {
      if (memory === null) return null
      const found = memory.stat.exec(await readFile(join(memory.folder, 'memory.stat'), 'utf8'))?.[1]
      return found === undefined ? null : Number(found)
    },
    outOfMemory: () => memory !== null && /^oom_kill [1-9]/m.test(readFileSync(join(memory.folder, memory.events), 'utf8')),
    kill: () => own.forEach(killAll),
    tryRemove: () => own.map(removed).every(Boolean),
  }
}

/** Removes an empty group; false while it still has processes. */
export function removed(folder: string): boolean {
  try {
    rmdirSync(folder)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return true
    if (error instanceof Error && 'code' in error && error.code === 'EBUSY') return false
    throw error
  }
}

/** Kills every remaining process of a group. */
export function killAll(folder: string): void {
  if (!existsSync(folder)) return
  for (const pid of readFileSync(join(folder, 'cgroup.procs'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && line !== '0')) {
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch (error) {
      // Already gone.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
}
