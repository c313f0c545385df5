import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GroupPlaces } from './cgroup-places.js'

/** The processors of a group of processes: what it has used of them, and whether all others go before it. */
export interface GroupProcessors {
  /** Processor time that the group has used so far, in milliseconds; null when it is gone. */
  usedMs(): Promise<number | null>
  /** From now on the group runs when nobody else wants a processor, or as before. */
  background(on: boolean): Promise<void>
}

/** Weights of a group that is not in the background: a quarter of the usual (cgroups(7); Linux, admin-guide/cgroup-v2, "CPU Interface Files"). */
export const WEIGHT = { 1: { file: 'cpu.shares', usual: '256', least: '2' }, 2: { file: 'cpu.weight', usual: '25', least: '1' } } as const

/** Those of a group whose folder of the cpu controller is `folder`; version 1 counts in another one. */
export function groupProcessors(version: NonNullable<GroupPlaces['version']>, folder: string, counting = folder): GroupProcessors {
  const { file, usual, least } = WEIGHT[version]
  const set = (name: string, value: string): Promise<void> => writeFile(join(folder, name), value).catch(unlessGone)
  return {
    usedMs: version === 2 ? () => usedOf(join(folder, 'cpu.stat'), 1e3) : () => usedOf(join(counting, 'cpuacct.usage'), 1e6),
    // Whoever wakes up takes the processor from an idle group at once; from one of the least weight only when its slice is over. Kernels before 5.15 know no idle groups.
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

/** A group may end while it is read. */
function read(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => unlessGone(error) ?? '')
}

function unlessGone(error: unknown): void {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENODEV' || error.code === 'ESRCH')) return
  throw error
}
