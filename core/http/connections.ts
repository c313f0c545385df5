import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import type { Turns } from '../runtime/turns.js'

type Socket = IncomingMessage['socket']

/** Time for the first request of a new connection and for the head of each next one before it counts as idle, in milliseconds. */
const NEW_MS = 1_000

/** A connection: since when it is open or has sent bytes without a complete request; unfinished answers; bytes read at the last answer. */
interface OpenConnection {
  newSince: number | null
  answers: number
  read: number
}

/**
 * The connections of a server and whether they are in use. Replaces Node's rule: a connection is idle, and closed by
 * `server.close`, as soon as the end of its answer was written, though megabytes may still be unread.
 */
export class Connections {
  readonly #open = new Map<Socket, OpenConnection>()
  readonly #now: () => number
  #lastOpenedAt = -Infinity

  /** `now`: monotonic milliseconds. */
  constructor(server: Server, now: () => number = () => performance.now()) {
    this.#now = now
    server.closeIdleConnections = () => this.endIdle()
    server.on('connection', (socket: Socket) => {
      this.#lastOpenedAt = now()
      this.#open.set(socket, { newSince: this.#lastOpenedAt, answers: 0, read: 0 })
      socket.on('close', () => this.#open.delete(socket))
    })
    server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      const known = this.#open.get(socket)
      if (known === undefined) return
      known.newSince = null
      known.answers++
      response.on('close', () => {
        known.answers--
        known.read = socket.bytesRead
      })
    })
  }

  get size(): number {
    return this.#open.size
  }

  /** When the newest was opened, in monotonic milliseconds; -Infinity before the first. */
  get lastOpenedAt(): number {
    return this.#lastOpenedAt
  }

  /** Closes connections without an unfinished answer and, after one second, without the head of a request. */
  endIdle(): void {
    const now = this.#now()
    for (const [socket, known] of this.#open) {
      if (known.answers > 0) continue
      if (socket.bytesRead !== known.read) known.newSince ??= now
      if (known.newSince === null || known.newSince <= now - NEW_MS) socket.destroy()
    }
  }
}

/** The port is closed once no client has connected for `IDLE_MS`, at the latest after `LONGEST_MS`, in milliseconds. */
const IDLE_MS = 50
const LONGEST_MS = 500
const STEP_MS = 2

/**
 * Closes the port at a moment without new connections, since the kernel resets unaccepted ones. Answers, after which
 * clients might reconnect, wait until it is closed, half a second at most. Open connections stay open.
 */
export async function closePort(server: Server, connections: Connections, turns: Turns): Promise<void> {
  turns.hold(true)
  try {
    await requestsAnswered(connections)
    server.close()
  } finally {
    turns.hold(false)
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
