import { mkdirSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { SandboxHost } from './host.js'
import { killQuietly } from './spawned.js'
import { treeMemory, watch } from './watchdog.js'

const LOOK_MS = 200
const MIB = 1024 * 1024

interface Watched {
  readonly birth: string
  readonly stop: () => void
}

/** The folder below `folder` in which a launcher's script creates an empty file named after its process id. */
export function runningFolder(folder: string): string {
  const path = join(folder, 'running')
  mkdirSync(path, { recursive: true, mode: 0o700 })
  return path
}

/**
 * Watches the programs that a launcher started, on machines without a memory group: a process tree that uses more than `memoryMb` is
 * killed. The returned function ends the watch, which also ends with the folder.
 */
export function watchLaunched(host: SandboxHost, folder: string, memoryMb: number): () => void {
  const watched = new Map<number, Watched>()
  const most = memoryMb * MIB
  let busy = false
  let unread = false
  const look = async (): Promise<void> => {
    let pids: string[]
    try {
      pids = await readdir(folder)
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return end()
      // Such as a lack of descriptors: known programs stay watched, and the next attempt may succeed.
      if (!unread)
        host.log('launched programs could not be listed: the memory of new ones is not limited meanwhile', { error: String(error) })
      unread = true
      return
    }
    unread = false
    for (const pid of pids.map(Number)) {
      const birth = await birthOf(pid)
      const known = watched.get(pid)
      // Never a process that has reused the id of an ended one.
      if (known !== undefined && known.birth !== birth) known.stop()
      if (known !== undefined || birth === null) continue
      const onOver = (): void => {
        host.log('a launched program was killed: it exceeded its memory limit', { pid, memoryMb })
        killQuietly(pid)
      }
      watched.set(pid, { birth, stop: watch(host.clock, () => treeMemory(pid, most / 2), most, onOver) })
    }
  }
  const stopLooking = host.clock.every(LOOK_MS, () => {
    if (busy) return
    busy = true
    void look().finally(() => (busy = false))
  })
  const end = (): void => {
    stopLooking()
    for (const { stop } of watched.values()) stop()
  }
  return end
}

/** Start time of a process, in ticks since boot (proc(5): stat); null when it has ended. */
async function birthOf(pid: number): Promise<string | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null
}
