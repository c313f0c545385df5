import { readdirSync, readFileSync } from 'node:fs'

interface Process {
  readonly pid: number
  readonly command: string
}

/** Proportional memory of the browsers below a gateway, in MiB (proc_pid_smaps: Pss), so that what processes share counts once. */
export function browserMib(gateway: number): number {
  return browsersBelow(gateway).reduce((sum, { pid }) => sum + pssKib(pid), 0) / 1024
}

/** Kills the browsers below a gateway, with what runs inside their sandboxes. */
export function endBrowsers(gateway: number): void {
  for (const { pid, command } of browsersBelow(gateway)) {
    if (!command.includes('--remote-debugging-pipe')) continue
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      // It ended with the one before it.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
}

function browsersBelow(gateway: number): Process[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const parents = new Map(pids.map((pid) => [Number(pid), parentOf(pid)]))
  const isBelow = (pid: number): boolean => {
    for (let at = parents.get(pid) ?? 0; at > 1; at = parents.get(at) ?? 0) if (at === gateway) return true
    return false
  }
  return pids
    .map(Number)
    .filter(isBelow)
    .map((pid) => ({ pid, command: text(`/proc/${pid}/cmdline`).replaceAll('\0', ' ') }))
    .filter(({ command }) => command.includes('headless-shell'))
}

function parentOf(pid: string): number {
  return Number(/^PPid:\s+(\d+)/m.exec(text(`/proc/${pid}/status`))?.[1] ?? 0)
}

function pssKib(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(text(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0)
}

/** A process may end while it is read. */
function text(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return ''
    throw error
  }
}
