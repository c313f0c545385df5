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
    await requestsAnswered(connections)
    server.close()
  } finally {
    held.release()
  }
}

/** Resolves right behind a turn of the loop in which nobody connected, so that every connection that there is has been taken. */
async function requestsAnswered(connections: Connections): Promise<void> {
  const began = performance.now()
  while (performance.now() < began + LONGEST_MS) {
    const newest = connections.lastOpenedAt
    if (performance.now() < Math.max(began, newest) + QUIET_MS) await pause(STEP_MS)
    else {
      await turn()
      if (connections.lastOpenedAt === newest) return
    }
  }
  await turn()
}
