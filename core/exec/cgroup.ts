import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ownFolder, readMounts } from './memory-limit.js'

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
  tryRemove(): Promise<boolean>
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
    tryRemove: async () => (await Promise.all(own.map(removed))).every(Boolean),
  }
}

/** Removes an empty group; false while it still has processes. The kernel may take milliseconds (cgroup_mutex). */
export async function removed(folder: string): Promise<boolean> {
  try {
    await rmdir(folder)
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

/** Processor use and priority of a group of processes. */
export interface GroupProcessors {
  /** Processor time used by the group so far, in milliseconds; null when the group no longer exists. */
  usedMs(): Promise<number | null>
  /** When on, the group runs only while no other process needs the processor. */
  background(on: boolean): Promise<void>
}

/** Weights: `usual` outside the background, a quarter of the default (cgroups(7); Linux, admin-guide/cgroup-v2, "CPU Interface Files"). */
const WEIGHT = { 1: { file: 'cpu.shares', usual: '256', least: '2' }, 2: { file: 'cpu.weight', usual: '25', least: '1' } } as const

/** The processors of the group in `folder` of the cpu controller; version 1 counts in the folder `counting`. */
export function groupProcessors(version: NonNullable<GroupPlaces['version']>, folder: string, counting = folder): GroupProcessors {
  const { file, usual, least } = WEIGHT[version]
  const set = (name: string, value: string): Promise<void> => writeFile(join(folder, name), value).catch(unlessGone)
  return {
    usedMs: version === 2 ? () => usedOf(join(folder, 'cpu.stat'), 1e3) : () => usedOf(join(counting, 'cpuacct.usage'), 1e6),
    // A waking process preempts an idle group at once, but one of the least weight only after its time slice. Kernels before 5.15 have no idle groups.
    background: async (on) => {
      const idle = existsSync(join(folder, 'cpu.idle'))
      if (idle) await set('cpu.idle', on ? '1' : '0')
      if (!idle || !on) await set(file, on ? least : usual)
    },
  }
}

async function usedOf(file: string, perMs: number): Promise<number | null> {
  const count = /\d+/.exec(await read(file))?.[0]
  return count === undefined ? null : Number(count) / perMs
}

/** Empty when the group ends while it is read. */
function read(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => unlessGone(error) ?? '')
}

function unlessGone(error: unknown): void {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENODEV' || error.code === 'ESRCH')) return
  throw error
}

type Controller = 'memory' | 'pids' | 'cpu' | 'cpuacct'

/** Where groups can be created: for each controller the parent folder. */
interface GroupPlaces {
  readonly version: 1 | 2 | null
  readonly folders: ReadonlyMap<Controller, string>
}

/** `cpuacct` exists in version 1 only: in version 2 each group counts its processor time. */
const CONTROLLERS: readonly Controller[] = ['memory', 'pids', 'cpu', 'cpuacct']
/** The group to which the gateway moves itself in version 2, which allows processes in leaves only. */
const OWN_LEAF = 'capstan-gateway'

/** Searches the mounts of this process (proc(5): mountinfo and cgroup). Tests pass another /proc/self. */
export function locate(self = '/proc/self'): GroupPlaces {
  const mounts = readMounts(readFileSync(`${self}/mountinfo`, 'utf8'))
  const paths = readFileSync(`${self}/cgroup`, 'utf8').trim().split('\n')
  const second = mounts.find((mount) => mount.type === 'cgroup2')
  const folders = second === undefined ? [] : delegated(ownFolder(second, paths.find((line) => line.startsWith('0::'))?.slice(3)))
  if (folders.length > 0) return { version: 2, folders: new Map(folders) }
  const first = CONTROLLERS.flatMap((controller): [Controller, string][] => {
    const mount = mounts.find(({ type, options }) => type === 'cgroup' && options.includes(controller))
    if (mount === undefined) return []
    const path = paths.map((line) => line.split(':')).find(([, names]) => names?.split(',').includes(controller) === true)?.[2]
    const folder = [ownFolder(mount, path), mount.point].find(canMake)
    return folder === undefined ? [] : [[controller, folder]]
  })
  return first.length > 0 ? { version: 1, folders: new Map(first) } : { version: null, folders: new Map() }
}

function canMake(folder: string): boolean {
  const probe = join(folder, `capstan-probe-${process.pid}`)
  try {
    mkdirSync(probe)
    rmdirSync(probe)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}

/** Version 2: enables the controllers for children of our own group, after moving its processes into a leaf. */
function delegated(folder: string): [Controller, string][] {
  const words = (file: string): string[] => readFileSync(join(folder, file), 'utf8').trim().split(/\s+/)
  try {
    const parent = folder.endsWith(`/${OWN_LEAF}`) ? join(folder, '..') : folder
    if (parent !== folder) return words('../cgroup.subtree_control').flatMap((name) => known(name, parent))
    const wanted = CONTROLLERS.filter((name) => words('cgroup.controllers').includes(name))
    if (!wanted.includes('memory')) return []
    const leaf = join(folder, OWN_LEAF)
    mkdirSync(leaf, { recursive: true })
    for (const pid of words('cgroup.procs').filter((word) => word !== '')) writeFileSync(join(leaf, 'cgroup.procs'), pid)
    for (const name of wanted) writeFileSync(join(folder, 'cgroup.subtree_control'), `+${name}`)
    return wanted.map((name) => [name, folder])
  } catch (error) {
    // Read-only or not delegated: the usual case in a container or a login session.
    if (error instanceof Error && 'code' in error) return []
    throw error
  }
}

function known(name: string, folder: string): [Controller, string][] {
  return CONTROLLERS.filter((controller) => controller === name).map((controller) => [controller, folder])
}
