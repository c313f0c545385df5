import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownFolder, readMounts } from '../runtime/memory-limit.js'

export type Controller = 'memory' | 'pids' | 'cpu' | 'cpuacct'

/** Where groups can be created: for each controller the parent folder. */
export interface GroupPlaces {
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
