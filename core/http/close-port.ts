import type { Server } from 'node:http'
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import type { Connections } from './connections.js'

/** The port is closed once no client has connected for `IDLE_MS`, at the latest after `LONGEST_MS`, in milliseconds. */
const IDLE_MS = 50
const LONGEST_MS = 500
const STEP_MS = 2

/**
 * Closes the port at a moment without new connections, since the kernel resets unaccepted ones. Answers, after which
 * clients might reconnect, wait until it is closed, half a second at most. Open connections stay open.
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

/** Resolves after a turn of the event loop without a new connection, when all connections have been accepted. */
async function requestsAnswered(connections: Connections): Promise<void> {
  const began = performance.now()
  while (performance.now() < began + LONGEST_MS) {
    const newest = connections.lastOpenedAt
    if (performance.now() < Math.max(began, newest) + IDLE_MS) await pause(STEP_MS)
    else {
      await turn()
      if (connections.lastOpenedAt === newest) return
    }
  }
  await turn()
}

/** Passes requests on, or holds them so that no client reconnects to a closing port after its answer. */
export class HeldRequests {
  #held: (() => void)[] | null = null

  /** Answers a request now, or on `release`. */
  take(answer: () => void): void {
    if (this.#held === null) answer()
    else this.#held.push(answer)
  }

  /** Starts holding requests. */
  hold(): void {
    this.#held ??= []
  }

  /** Answers the held requests, and all later ones at once. */
  release(): void {
    const held = this.#held ?? []
    this.#held = null
    for (const answer of held) answer()
  }
}
