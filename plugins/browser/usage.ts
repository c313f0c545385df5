import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

/** Kernel statistics of a browser at one moment. */
export interface Usage {
  /** Processor time of its processes so far, in milliseconds. */
  readonly gotMs: number
  /** The main thread of its main process is running or waiting for a processor. */
  readonly runnable: boolean
}

/** A process that runs pages of one context. */
export interface Renderer {
  readonly pid: number
  /** Start time in ticks since boot, since process ids are reused. */
  readonly birth: string
  readonly gotMs: number
}

/** USER_HZ (proc(5): stat), 100 on every architecture that Chromium runs on. */
const MS_PER_TICK = 10
const DEEPEST = 8
/** An argument of the browser itself that its child processes do not have. */
const DRIVEN = '--remote-debugging-pipe'

/** Fields of `/proc/PID/stat` from the third on (state, parent, ...), after the name, which may contain spaces and brackets. */
export function statFields(text: string): string[] {
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

/** Processor time and state of a browser by its main process; null when it has ended. */
export function usageOf(main: number): Usage | null {
  const fields = statOf(main)
  return fields === null ? null : { gotMs: processorTime(main, fields), runnable: fields[0] === 'R' }
}

/**
 * Processor time of a process and all its descendants, in milliseconds: a browser that waits for its own pages is not
 * starved by the machine.
 */
function processorTime(pid: number, fields: readonly string[]): number {
  return childrenOfAll(pid).reduce((total, child) => {
    const found = statOf(child)
    return found === null ? total : total + processorTime(child, found)
  }, ownTime(fields))
}

function ownTime(fields: readonly string[]): number {
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK
}

function statOf(pid: number): string[] | null {
  const text = readNow(`/proc/${pid}/stat`)
  return text === '' ? null : statFields(text)
}

function childrenOf(pid: number, task: number | string): number[] {
  return readNow(`/proc/${pid}/task/${task}/children`)
    .split(' ')
    .filter((word) => word !== '')
    .map(Number)
}

/** The children of all threads of a process. */
function childrenOfAll(pid: number): number[] {
  return orGone(() => readdirSync(`/proc/${pid}/task`), []).flatMap((task) => childrenOf(pid, task))
}

/** The renderer processes, which are children of zygotes (Chromium, docs/linux/zygote.md). */
export async function renderersOf(zygotes: readonly number[]): Promise<Renderer[]> {
  const pids = zygotes.flatMap((zygote) => childrenOf(zygote, zygote))
  const found = pids.map(async (pid): Promise<Renderer | null> => {
    const fields = (await isOfType(pid, 'renderer')) ? statOf(pid) : null
    const birth = fields?.[19]
    return fields === null || birth === undefined ? null : { pid, birth, gotMs: ownTime(fields) }
  })
  return (await Promise.all(found)).filter((renderer) => renderer !== null)
}

async function isOfType(pid: number, type: string): Promise<boolean> {
  return (await read(`/proc/${pid}/cmdline`)).split('\0').includes(`--type=${type}`)
}

/** The zygote processes below a process; one zygote forks another. */
export async function zygotesOf(pid: number): Promise<number[]> {
  const found = await Promise.all(
    childrenOfAll(pid).map(async (child) => ((await isOfType(child, 'zygote')) ? [child, ...(await zygotesOf(child))] : [])),
  )
  return found.flat()
}

/**
 * The main process of a browser started as `pid`, below the sandbox and the shell scripts around it, which all have
 * the browser's arguments: the lowest process that has them. Null when `pid` has ended.
 */
export async function mainProcess(pid: number, depth = 0): Promise<number | null> {
  const args = (await read(`/proc/${pid}/cmdline`)).split('\0')
  // The sandbox's shell (`sh -c`), which waits for the network forwarder, has them too.
  if (!args.includes(DRIVEN) || args[1] === '-c') return null
  for (const child of depth === DEEPEST ? [] : childrenOf(pid, pid)) {
    const found = await mainProcess(child, depth + 1)
    if (found !== null) return found
  }
  return pid
}

/** Waits for the memory lock of the process, which a page can keep busy. */
function read(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}

/**
 * Synchronous, for files that the kernel generates in about ten microseconds: a promise costs the event loop ten
 * times that, and the processes of a browser are read four times a second.
 */
function readNow(path: string): string {
  return orGone(() => readFileSync(path, 'utf8'), '')
}

/** A process may end while it is being read. */
function orGone<T>(look: () => T, gone: T): T {
  try {
    return look()
  } catch {
    return gone
  }
}
