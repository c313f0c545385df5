import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { killAll, removed } from './cgroup.js'
import type { SandboxHost } from './host.js'
import { killOrphans } from './orphans.js'

const NAME = /^capstan-job-(\d+)-/

/** A private folder that the next start deletes when this process was killed before it could. */
export function jobFolder(parent: string): Promise<string> {
  return mkdtemp(join(parent, `capstan-job-${process.pid}-`))
}

/** What the sweeper looks at. */
type SweepPlaces = Pick<SandboxHost, 'bwrap' | 'folder' | 'groups' | 'log'>

/** Removes what killed gateways left: processes, job folders below `folder`, control groups. Those of living gateways stay. */
export async function sweep({ bwrap, folder, groups, log }: SweepPlaces): Promise<void> {
  await killOrphans(bwrap)
  const leftovers = async (parent: string): Promise<string[]> => {
    if (!existsSync(parent)) return []
    const names = await readdir(parent)
    return names.filter((name) => isDead(NAME.exec(name)?.[1])).map((name) => join(parent, name))
  }
  for (const path of await leftovers(folder)) await rm(path, { recursive: true, force: true })
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
