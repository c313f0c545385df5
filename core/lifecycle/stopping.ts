import { setTimeout as pause } from 'node:timers/promises'
import type { Listeners } from '../http/listeners.js'

/** Time between "not ready" and closing the port, for load balancers and clients to notice, in milliseconds. */
const LEAVING_MS = 3_000
const CHECK_MS = 100
/** Time for the answers of stopped calls, in milliseconds. */
const CUT_MS = 1_000

/** The phases of stopping a gateway. */
export interface Stoppable {
  /** Reports not ready and ends each connection after its answer; calls are still accepted. */
  leave(): void
  /** Refuses new calls; running ones continue. */
  drain(): void
  /** Stops running calls and uploads; their holds are released. */
  cut(): void
  /**
   * Waits for running calls until the grace period after `drain` ends (not at all without it), stops them, refunds
   * undelivered answers, writes pending data and closes everything.
   */
  close(): Promise<void>
}

interface StopTimes {
  /** For running calls and unfinished answers, in milliseconds. */
  readonly graceMs: number
  /** False on a terminal, where the operator waits for the stop. */
  readonly leaves: boolean
}

/**
 * Stops in phases: not ready, while calls are still accepted; then no new calls, while running ones complete within the
 * grace period; then calls are stopped and everything is closed.
 */
export async function stop(app: Stoppable, listeners: Listeners, { graceMs, leaves }: StopTimes): Promise<void> {
  const { main, connections } = listeners
  app.leave()
  if (leaves && connections.size > 0) await pause(LEAVING_MS)
  const closed = new Promise<void>((resolve) => main.once('close', () => resolve()))
  await listeners.closePort()
  app.drain()
  const idle = setInterval(() => connections.endIdle(), CHECK_MS)
  const cut = setTimeout(() => {
    app.cut()
    setTimeout(() => main.closeAllConnections(), CUT_MS).unref()
  }, graceMs)
  await closed
  clearTimeout(cut)
  clearInterval(idle)
  await app.close()
}
