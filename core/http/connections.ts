import type { IncomingMessage, Server, ServerResponse } from 'node:http'

type Socket = IncomingMessage['socket']

/** So long a new connection has for its first request, and one that goes on for the head of its next, in milliseconds, before it counts as idle. */
const NEW_MS = 1_000

/** A connection: since when it is open, or was seen to send, without a request; answers on their way; and the bytes that had come when the last one was out. */
interface Known {
  newSince: number | null
  answers: number
  read: number
}

/**
 * The connections of a server, and which of them have something on its way. Node calls a connection idle as soon as the end of its answer
 * was handed over, though megabytes may still wait for the reader, and ends such ones in `server.close` too; this takes the place of its rule.
 */
export class Connections {
  readonly #open = new Map<Socket, Known>()
  readonly #now: () => number
  #lastOpenedAt = -Infinity

  /** `now` gives milliseconds that never jump. */
  constructor(server: Server, now: () => number = () => performance.now()) {
    this.#now = now
    server.closeIdleConnections = () => this.endIdle()
    server.on('connection', (socket: Socket) => {
      this.#lastOpenedAt = now()
      this.#open.set(socket, { newSince: this.#lastOpenedAt, answers: 0, read: 0 })
      socket.once('close', () => this.#open.delete(socket))
    })
    server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      const known = this.#open.get(socket)
      if (known === undefined) return
      known.newSince = null
      known.answers++
      response.once('close', () => {
        known.answers--
        known.read = socket.bytesRead
      })
    })
  }

  get size(): number {
    return this.#open.size
  }

  /** When the newest was opened, in milliseconds that never jump; -Infinity before the first. */
  get lastOpenedAt(): number {
    return this.#lastOpenedAt
  }

  /** Ends those on which no answer is on its way and the head of no request, for which a second is left. */
  endIdle(): void {
    const now = this.#now()
    for (const [socket, known] of this.#open) {
      if (known.answers > 0) continue
      if (socket.bytesRead !== known.read) known.newSince ??= now
      if (known.newSince === null || known.newSince <= now - NEW_MS) socket.destroy()
    }
  }
}
