import { readdir, readFile, statfs } from 'node:fs/promises'
import type { Clock } from '../clock.js'

const EVERY_MS = 100

/** Calls back once when what is measured passes the limit. `measure` answers null when there is nothing to count any more. */
export function watch(clock: Clock, measure: () => Promise<number | null>, limit: number, onOver: () => void): () => void {
  let busy = false
  const stop = clock.every(EVERY_MS, () => {
    if (busy) return
    busy = true
    void measure()
      // The job may end while it is measured.
      .catch(() => null)
      .then((amount) => {
        busy = false
        if (amount === null || amount <= limit) return
        stop()
        onOver()
      })
  })
  return stop
}

/** Resident bytes of a process and all below it (proc(5): task children, statm), for machines without a memory group. Orphans stay below the namespace's first process. */
export async function treeMemory(root: number): Promise<number | null> {
  if (root === 0) return null
  const seen = new Set<number>()
  const visit = async (pid: number): Promise<number> => {
    if (seen.has(pid)) return 0
    seen.add(pid)
    const tasks = await readdir(`/proc/${pid}/task`).catch(() => [])
    const lists = await Promise.all(tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => '')))
    const children = lists
      .join(' ')
      .split(/\s+/)
      .filter((word) => word !== '')
    const own = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')
    const below = await Promise.all(children.map((child) => visit(Number(child))))
    const [, resident = '0', shared = '0'] = own.split(' ')
    return (Number(resident) - Number(shared)) * 4096 + below.reduce((sum, bytes) => sum + bytes, 0)
  }
  return visit(root)
}

/** Files in the writable places of a job, seen through its first process (proc(5): root). A tmpfs bounds bytes, not empty files. */
export async function filesOf(root: number): Promise<number | null> {
  if (root === 0) return null
  const places = await Promise.all(['/job', '/dev/shm'].map((place) => statfs(`/proc/${root}/root${place}`)))
  return places.reduce((sum, { files, ffree }) => sum + files - ffree, 0)
}
