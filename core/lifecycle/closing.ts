import { setImmediate as turn } from 'node:timers/promises'
import type { RunningCalls } from '../runtime/running.js'
import type { Clock } from '../runtime/clock.js'
import type { Log } from '../runtime/log-events.js'
import { answered } from '../runtime/answered.js'

/** Most milliseconds a step of closing may take: what hangs must keep nothing else open. */
const STEP_MS = 5_000
/** And all of them together; a step that comes after that still gets the last of these. */
const ALL_MS = 10_000
const LEAST_MS = 250

/** A step of closing, named for the log. */
export type ClosingStep = readonly [name: string, step: () => Promise<unknown>]

/** Takes the steps one after the other, each for five seconds at most and all for ten; one that fails is logged and keeps none of the others. */
export async function closeInOrder(steps: readonly ClosingStep[], log: Log): Promise<void> {
  // Timers of the gateway do not keep the process alive, and its work may wait for nothing else.
  const alive = setInterval(() => undefined, STEP_MS)
  try {
    const began = performance.now()
    for (const [name, step] of steps)
      await answered(Math.max(LEAST_MS, Math.min(STEP_MS, began + ALL_MS - performance.now())), step(), name).catch((error: unknown) =>
        log('stop-step-failed', 'shutdown step failed', { step: name, error: String(error) }),
      )
  } finally {
    clearInterval(alive)
  }
}

/** Waits `graceMs` for the calls that still run, those too whose callers have left, and cuts what runs then. */
export async function finishCalls(running: RunningCalls, clock: Clock, graceMs: number): Promise<void> {
  const alive = setInterval(() => undefined, STEP_MS)
  let stop: () => void = () => undefined
  try {
    const over = new Promise<void>((resolve) => void (stop = clock.after(Math.max(0, graceMs), resolve)))
    await Promise.race([running.idle(), ...(graceMs > 0 ? [over] : [turn()])])
    running.cut()
  } finally {
    stop()
    clearInterval(alive)
  }
}
