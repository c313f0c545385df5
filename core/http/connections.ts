import type { IncomingMessage, Server, ServerResponse } from 'node:http'

type Socket = IncomingMessage['socket']

/** A connection: answers on their way, and the bytes that had come when the last one was out. */
interface Known {
  answers: number
  read: number
}

/**
 * The connections of a server, and which of them have something on its way. Node calls a connection idle as soon as the end of its answer
 * was handed over, though megabytes may still wait for the reader, and ends such ones in `server.close` too; this takes the place of its rule.
 */
export class Connections {
  readonly #open = new Map<Socket, Known>()

  constructor(server: Server) {
    server.closeIdleConnections = () => this.endIdle()
    server.on('connection', (socket: Socket) => {
      this.#open.set(socket, { answers: 0, read: 0 })
      socket.once('close', () => this.#open.delete(socket))
    })
    server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      const known = this.#open.get(socket)
      if (known === undefined) return
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

  /** Ends those on which neither an answer nor a part of a request is on its way. */
  endIdle(): void {
    for (const [socket, { answers, read }] of this.#open) if (answers === 0 && socket.bytesRead === read) socket.destroy()
  }
}
