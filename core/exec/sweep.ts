import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { killAll, removed } from './cgroup.js'
import type { SandboxHost } from './host.js'
import { killOrphans } from './orphans.js'

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
      for (let tries = 0; tries < 50 && !removed(path); tries++) await setTimeout(20)
      if (existsSync(path)) log('a control group of a killed gateway could not be removed', { path })
    }
  }
}

function isDead(pid: string | undefined): boolean {
  return pid !== undefined && Number(pid) !== process.pid && !existsSync(`/proc/${pid}`)
}
