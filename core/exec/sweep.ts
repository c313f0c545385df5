import { readdir, readFile } from 'node:fs/promises'
import { SCRIPTS } from './inner-script.js'
import { killQuietly } from './spawned.js'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { killAll, removed } from './cgroup.js'
import type { SandboxHost } from './host.js'

/**
 * Kills processes of starting sandboxes that killed gateways left. bwrap 0.8 sets its parent-death signal early, the first process inside
 * only late: between the two that process waits forever for a message of bwrap (an eventfd has no end of file) and runs nothing.
 * Processes of other users are left alone.
 */
async function killOrphans(bwrap: string): Promise<void> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  await Promise.all(pids.map((pid) => killOrphan(bwrap, pid)))
}

async function killOrphan(bwrap: string, pid: string): Promise<void> {
  const command = await read(pid, 'cmdline')
  if (!command.startsWith(`${bwrap}\0`) || !SCRIPTS.some((script) => command.includes(`\0${script}\0`))) return
  const status = await read(pid, 'status')
  const parent = /^PPid:\s*(\d+)/m.exec(status)?.[1]
  const own = process.geteuid?.()
  const killable = own === 0 || own === Number(/^Uid:\s*\d+\s+(\d+)/m.exec(status)?.[1])
  // Process ids by namespace, the innermost last (proc(5)): the first process inside is 1 there, and a fork of its parent.
  const first = /^NSpid:.*\s1$/m.test(status)
  if (parent === undefined || !killable || !first || (await read(parent, 'cmdline')) === command) return
  killQuietly(Number(pid))
}

/** Empty when the process has ended. */
function read(pid: string, name: string): Promise<string> {
  return readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')
}

const NAME = /^capstan-job-(\d+)-/

/** The parts of the host that are swept. */
type SweepPlaces = Pick<SandboxHost, 'bwrap' | 'groups' | 'log'>

/** Removes processes and control groups of killed gateways. Those of running gateways are kept. */
export async function sweep({ bwrap, groups, log }: SweepPlaces): Promise<void> {
  await killOrphans(bwrap)
  const leftovers = async (parent: string): Promise<string[]> => {
    if (!existsSync(parent)) return []
    const names = await readdir(parent)
    return names.filter((name) => isDead(NAME.exec(name)?.[1])).map((name) => join(parent, name))
  }
  for (const parent of groups.parents) {
    for (const path of await leftovers(parent)) {
      killAll(path)
      for (let tries = 0; tries < 50 && !(await removed(path)); tries++) await setTimeout(20)
      if (existsSync(path)) log('a control group of a killed gateway could not be removed', { path })
    }
  }
}

function isDead(pid: string | undefined): boolean {
  return pid !== undefined && Number(pid) !== process.pid && !existsSync(`/proc/${pid}`)
}
