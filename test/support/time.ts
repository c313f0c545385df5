const TICK_MS = 5
/** A timer of a quiet machine is late by this much. */
const USUAL_MS = 3

/** What came of the work, and how long it took in milliseconds. */
export interface Took<T> {
  readonly result: T
  readonly all: number
  /** Without the time by which timers of this process were late meanwhile, because the machine was at something else. */
  readonly own: number
}

/** Time of work that waits: for an answer, a time limit, a closed socket. It says nothing of work that itself blocks the event loop: see `cpuOf`. */
export async function waited<T>(work: () => Promise<T>): Promise<Took<T>> {
  const began = performance.now()
  let [last, late] = [began, 0]
  const look = (): void => {
    const now = performance.now()
    late += Math.max(0, now - last - TICK_MS - USUAL_MS)
    last = now
  }
  const timer = setInterval(look, TICK_MS)
  try {
    const result = await work()
    look()
    const all = performance.now() - began
    return { result, all, own: all - late }
  } finally {
    clearInterval(timer)
  }
}

/** Milliseconds of processor time that this process, with all its threads, spends on the work: nothing of what others do on the machine. */
export async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Turns of the event loop until the work is done: none for what waits for nothing outside of this process. */
export async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let [turns, over] = [0, false]
  const done = work().finally(() => (over = true))
  done.catch(() => undefined)
  for (; ; turns++) {
    await new Promise<void>((resolve) => setImmediate(resolve))
    if (over) break
  }
  await done
  return turns
}
