/** The time by which a load is sent. */
export interface LoadTime {
  /** Milliseconds that only grow. */
  now(): number
  pause(ms: number): Promise<void>
}

const systemTime: LoadTime = {
  now: () => performance.now(),
  pause: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
}

export interface OpenLoop {
  readonly perSecond: number
  readonly seconds: number
  /** Called before each reading of the clock. */
  readonly between?: () => Promise<void>
  readonly time?: LoadTime
}

/**
 * Sends by the clock, whether or not earlier calls are answered, and resolves when all of them are. `send` gets the moment for which
 * its call was scheduled: a latency that counts from there includes what the call waited for before it was sent.
 */
export async function openLoop(
  { perSecond, seconds, between, time = systemTime }: OpenLoop,
  send: (scheduled: number, turn: number) => Promise<void>,
): Promise<void> {
  const calls = Math.round(perSecond * seconds)
  const open: Promise<void>[] = []
  const began = time.now()
  for (let turn = 0; turn < calls;) {
    const due = Math.min(calls, Math.floor(((time.now() - began) / 1000) * perSecond) + 1)
    for (; turn < due; turn++) open.push(send(began + (turn * 1000) / perSecond, turn))
    await between?.()
    await time.pause(1)
  }
  await Promise.all(open)
}

/** The value up to which this part of the values goes; 0 of none. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}
