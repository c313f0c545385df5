import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../clock.js'
import type { GroupPlaces } from './cgroup-places.js'

/** The processors of a group of processes: what it has used of them, and whether all others go before it. */
export interface GroupProcessors {
  /** Processor time that the group has used so far, in milliseconds; null when it is gone. */
  usedMs(): Promise<number | null>
  /** From now on the group runs when nobody else wants a processor, or as before. */
  background(on: boolean): Promise<void>
}

/** Parts of one processor, over about a second, from which on a group goes to the background, and below which it comes back. */
const MUCH = 0.5
const LITTLE = 0.1
const TICK_MS = 250
/** A group that does nothing is looked at less and less often, down to this. */
const LONGEST_MS = 1_000
/** How much the latest quarter of a second counts against all before. */
const LATEST = 0.25

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

export interface PriorityOptions {
  readonly begins: 'usual' | 'background'
  /** Told of each amount of processor time that the group has used, in milliseconds. */
  readonly onUsed: (ms: number) => void
  readonly onError: (error: unknown) => void
}

/**
 * Puts a group into the background while it uses much of a processor, so that no job of one caller keeps the gateway and the short jobs of
 * others waiting for theirs. One that gets too little there comes back by itself, so it never stands still. The returned function ends it,
 * with a last look.
 */
export function watchPriority(
  clock: Clock,
  processors: GroupProcessors,
  { begins, onUsed, onError }: PriorityOptions,
): () => Promise<void> {
  let ended = false
  let waitMs = TICK_MS
  let low = begins === 'background'
  let rate = low ? MUCH : 0
  let before = { at: clock.monotonic(), used: 0 }
  /** Processor time used since the last look, and the milliseconds since then. */
  const look = async (): Promise<{ used: number; elapsed: number } | null> => {
    const used = await processors.usedMs()
    if (used === null) return null
    const at = clock.monotonic()
    const since = { used: Math.max(0, used - before.used), elapsed: at - before.at }
    before = { at, used }
    onUsed(since.used)
    return since
  }
  const tick = async (): Promise<void> => {
    const since = await look()
    if (since === null || ended) return
    const { used, elapsed } = since
    if (elapsed > 0) rate += (used / elapsed - rate) * (1 - (1 - LATEST) ** (elapsed / TICK_MS))
    waitMs = used > 0 || low ? TICK_MS : Math.min(waitMs * 2, LONGEST_MS)
    const wanted = low ? rate > LITTLE : rate > MUCH
    if (wanted !== low) await processors.background((low = wanted))
    if (!ended) again()
  }
  const again = (): void => {
    stop = clock.after(waitMs, () => void tick().catch(onError))
  }
  let stop = (): void => undefined
  if (low) void processors.background(true).catch(onError)
  again()
  return async () => {
    ended = true
    stop()
    await look().catch(onError)
  }
}
