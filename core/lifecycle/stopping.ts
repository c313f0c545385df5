import { setTimeout as pause } from 'node:timers/promises'
import type { Listeners } from '../http/listeners.js'

/** The port stays open for so long after readiness has said no, in milliseconds: balancers look every few seconds, and clients learn from each answer that its connection is the last. */
const LEAVING_MS = 3_000
const LOOK_MS = 100
/** After calls were cut, their answers get so long, in milliseconds. */
const CUT_MS = 1_000

/** A gateway as a stop sees it. */
export interface Stoppable {
  /** Not ready from now on, and every answer is the last on its connection; calls are still taken. */
  leave(): void
  /** Refuses new calls from now on; those running go on. */
  drain(): void
  /** Stops the calls and uploads that are still running; what they hold is given back. */
  cut(): void
  /**
   * Waits for running calls until the grace after `drain` is over (not at all without it), cuts them, gives back what did not reach its
   * caller, writes what waits and lets everything go.
   */
  close(): Promise<void>
}

interface StopTimes {
  /** For calls and answers on their way, in milliseconds. */
  readonly graceMs: number
  /** False on a terminal, where whoever stops the gateway waits for it. */
  readonly leaves: boolean
}

/**
 * Stops in phases: not ready while calls are still taken; then no new ones, and what is on its way is written to its end, within the grace;
 * then calls are cut, and everything is closed.
 */
export async function stop(app: Stoppable, listeners: Listeners, { graceMs, leaves }: StopTimes): Promise<void> {
  const { main, connections } = listeners
  app.leave()
  if (leaves && connections.size > 0) await pause(LEAVING_MS)
  const closed = new Promise<void>((resolve) => main.once('close', () => resolve()))
  await listeners.closePort()
  app.drain()
  const idle = setInterval(() => connections.endIdle(), LOOK_MS)
  const cut = setTimeout(() => {
    app.cut()
    setTimeout(() => main.closeAllConnections(), CUT_MS).unref()
  }, graceMs)
  await closed
  clearTimeout(cut)
  clearInterval(idle)
  await app.close()
}
