import { setImmediate as turn } from 'node:timers/promises'
import type { RunningCalls } from '../runtime/running.js'
import type { Clock } from '../runtime/clock.js'
import type { Log } from '../runtime/log-events.js'
import { answered } from '../runtime/answered.js'

/** Time limit of one step, so that a hanging one does not block the others, in milliseconds. */
const STEP_MS = 5_000
/** Time limit of all steps; a step after that still gets `LEAST_MS`. */
const ALL_MS = 10_000
const LEAST_MS = 250

/** A step of closing, named for the log. */
export type ClosingStep = readonly [name: string, step: () => Promise<unknown>]

/** Runs the steps in order, each at most five seconds and all at most ten; a failure is logged and stops no other. */
export async function closeInOrder(steps: readonly ClosingStep[], log: Log): Promise<void> {
  // The gateway's timers are unreferenced; without this one the process might exit early.
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

/** Waits `graceMs` for running calls, including those of disconnected callers, then stops the rest. */
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
