import { readdir, readFile } from 'node:fs/promises'

/** What the kernel says about a browser at one moment. */
export interface Usage {
  /** Processor time that its processes have got so far, in milliseconds. */
  readonly gotMs: number
  /** The main thread of its main process runs or waits for a processor. */
  readonly runnable: boolean
}

/** A process in which pages of one context run. */
export interface Renderer {
  readonly pid: number
  /** Start time in ticks since boot, since process ids are reused. */
  readonly birth: string
  readonly gotMs: number
}

/** USER_HZ (proc(5): stat), 100 on every architecture that Chromium runs on. */
const MS_PER_TICK = 10
const DEEPEST = 8
/** An argument of the browser itself that the processes it starts do not get. */
const DRIVEN = '--remote-debugging-pipe'

/** Fields of `/proc/PID/stat` from the third on (state, parent, ...), after the name, which may contain spaces and brackets. */
export function statFields(text: string): string[] {
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

/** Processor time and state of a browser by its main process; null when it is gone. */
export async function usageOf(main: number): Promise<Usage | null> {
  const fields = await statOf(main)
  if (fields === null) return null
  return { gotMs: await processorTime(main, fields), runnable: fields[0] === 'R' }
}

/** Processor time of a process and all its descendants, in milliseconds: a browser that waits for its own pages is not starved by the machine. */
async function processorTime(pid: number, fields: readonly string[]): Promise<number> {
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => [])
  const children = (await Promise.all(tasks.map((task) => childrenOf(pid, task)))).flat()
  const below = children.map(async (child) => {
    const found = await statOf(child)
    return found === null ? 0 : processorTime(child, found)
  })
  return (await Promise.all(below)).reduce((total, ms) => total + ms, ownTime(fields))
}

function ownTime(fields: readonly string[]): number {
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK
}

async function statOf(pid: number): Promise<string[] | null> {
  const text = await read(`/proc/${pid}/stat`)
  return text === '' ? null : statFields(text)
}

async function childrenOf(pid: number, task: number | string): Promise<number[]> {
  const text = await read(`/proc/${pid}/task/${task}/children`)
  return text
    .split(' ')
    .filter((word) => word !== '')
    .map(Number)
}

/** The renderer processes, which are children of zygotes (Chromium, docs/linux/zygote.md). */
export async function renderersOf(zygotes: readonly number[]): Promise<Renderer[]> {
  const pids = (await Promise.all(zygotes.map((zygote) => childrenOf(zygote, zygote)))).flat()
  const found = pids.map(async (pid): Promise<Renderer | null> => {
    const fields = (await isOfType(pid, 'renderer')) ? await statOf(pid) : null
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
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => [])
  const children = (await Promise.all(tasks.map((task) => childrenOf(pid, task)))).flat()
  const found = await Promise.all(
    children.map(async (child) => ((await isOfType(child, 'zygote')) ? [child, ...(await zygotesOf(child))] : [])),
  )
  return found.flat()
}

/**
 * The main process of a browser that was started as `pid`, below the sandbox and the shell scripts around it, which all carry the
 * browser's arguments: the lowest process that does. Null when `pid` is gone.
 */
export async function mainProcess(pid: number, depth = 0): Promise<number | null> {
  const args = (await read(`/proc/${pid}/cmdline`)).split('\0')
  // The sandbox's shell (`sh -c`), which waits for the network forwarder, has them as well.
  if (!args.includes(DRIVEN) || args[1] === '-c') return null
  for (const child of depth === DEEPEST ? [] : await childrenOf(pid, pid)) {
    const found = await mainProcess(child, depth + 1)
    if (found !== null) return found
  }
  return pid
}

/** A process may end while it is read. */
function read(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}
