import { readdirSync, readFileSync } from 'node:fs'

/** A process of /proc. */
interface Process {
  readonly pid: number
  readonly parent: number
  /** Its words, without the zeros between them. */
  readonly command: string
  /** Processor time of its own threads, and with it that of its children that have ended and were waited for, in milliseconds. */
  readonly ownMs: number
  readonly wholeMs: number
  /** Resident memory in MiB. */
  readonly mib: number
}

/** Ticks a second of the times in /proc (proc(5): stat). */
const TICKS = 100
const PAGE_MIB = 4096 / 1024 ** 2

/** A process and all below it. */
export function processesBelow(root: number): Process[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => processOf(Number(name)) ?? [])
  const below = (pid: number): Process[] => all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(child.pid)])
  return [...all.filter(({ pid }) => pid === root), ...below(root)]
}

/** Processor time of a process and of all below it that run or were waited for, in milliseconds. */
export function wholeCpuMs(root: number): number {
  return processesBelow(root).reduce((sum, { wholeMs }) => sum + wholeMs, 0)
}

/** The processes below a gateway in which engines run whose module has this name, such as `whisper.py`; all engines without a name. */
export function enginesBelow(gateway: number, module = ''): Process[] {
  return processesBelow(gateway).filter(
    ({ command }) =>
      /^\S*(?:node|python[\d.]*) /.test(command) && /engine[-_]process\.(?:js|py) /.test(command) && command.includes(module),
  )
}

/** Resident memory of the engines below a gateway, in MiB; 0 without one. */
export function enginesMib(gateway: number, module = ''): number {
  return enginesBelow(gateway, module).reduce((sum, { mib }) => sum + mib, 0)
}

/** An engine that is ended takes its times along, so that they are read so often, in milliseconds. */
const EVERY_MS = 500

/**
 * Runs some work and returns the seconds of processor time that the engines of a module took meanwhile below a gateway, with the start of those that were
 * started meanwhile.
 */
export async function engineSeconds<T>(
  gateway: number,
  module: string,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly seconds: number }> {
  const times = (): Map<number, number> => new Map(enginesBelow(gateway, module).map(({ pid, ownMs }) => [pid, ownMs]))
  const [begun, last] = [times(), times()]
  const record = (): void => times().forEach((ms, pid) => last.set(pid, ms))
  const timer = setInterval(record, EVERY_MS)
  try {
    const result = await work()
    record()
    const ms = [...last].reduce((sum, [pid, now]) => sum + now - (begun.get(pid) ?? 0), 0)
    return { result, seconds: ms / 1_000 }
  } finally {
    clearInterval(timer)
  }
}

function processOf(pid: number): Process | null {
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
    // The name of the program may have spaces and brackets in it.
    const fields = stat.slice(stat.lastIndexOf(') ') + 2).split(' ')
    const ms = (from: number, to: number): number => (fields.slice(from, to).reduce((sum, field) => sum + Number(field), 0) * 1_000) / TICKS
    return {
      pid,
      parent: Number(fields[1]),
      command: readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8').replaceAll('\0', ' '),
      ownMs: ms(11, 13),
      wholeMs: ms(11, 15),
      mib: Number(fields[21]) * PAGE_MIB,
    }
  } catch (error) {
    // It has ended meanwhile.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return null
    throw error
  }
}
