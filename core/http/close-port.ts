import type { Server } from 'node:http'
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import type { Connections } from './connections.js'
import type { HeldRequests } from './held-requests.js'

/** The port is closed once nobody has connected for so long, and after the second time in any case; both in milliseconds. */
const QUIET_MS = 50
const LONGEST_MS = 500
const STEP_MS = 2

/**
 * Closes the port at a moment when nobody is connecting. The kernel resets what it has connected and the server has not yet taken, so the
 * answers that would make clients connect anew wait until it is closed, half a second at most. Connections that are open stay so.
 */
export async function closePort(server: Server, connections: Connections, held: HeldRequests): Promise<void> {
  held.hold()
  try {
    const giveUp = performance.now() + LONGEST_MS
    while (performance.now() < giveUp && performance.now() - connections.lastOpenedAt < QUIET_MS) await pause(STEP_MS)
    await quietTurn(connections, giveUp)
    server.close()
  } finally {
    held.release()
  }
}

/** Resolves right behind a turn of the loop in which nobody connected: every connection that there is has been taken. */
async function quietTurn(connections: Connections, giveUp: number): Promise<void> {
  let before = NaN
  await turn()
  while (before !== connections.lastOpenedAt && performance.now() < giveUp) {
    before = connections.lastOpenedAt
    await turn()
  }
}
