import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GroupPlaces } from './cgroup-places.js'

/** Processor use and priority of a group of processes. */
export interface GroupProcessors {
  /** Processor time used by the group so far, in milliseconds; null when the group no longer exists. */
  usedMs(): Promise<number | null>
  /** When on, the group runs only while no other process needs the processor. */
  background(on: boolean): Promise<void>
}

/** Weights: `usual` outside the background, a quarter of the default (cgroups(7); Linux, admin-guide/cgroup-v2, "CPU Interface Files"). */
export const WEIGHT = { 1: { file: 'cpu.shares', usual: '256', least: '2' }, 2: { file: 'cpu.weight', usual: '25', least: '1' } } as const

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
