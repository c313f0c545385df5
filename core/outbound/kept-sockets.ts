import type { Socket } from 'node:net'
import type { Clock } from '../runtime/clock.js'

/** Longest time a connection is kept, in milliseconds. */
const LONGEST_MS = 10_000
const MOST = 100
/** How long a server may take to answer a closing line, in milliseconds. */
const CLOSING_MS = 1_000

/** How a connection is kept. */
export interface Keeping {
  readonly ms: number
  /** State that is passed to the next call. */
  readonly state: string
  /** The line that is sent before the connection is closed, without its CRLF; undefined for none. */
  readonly closingLine: string | undefined
}

interface KeptSocket extends Pick<Keeping, 'state'> {
  readonly socket: Socket
  /** Removes it from here without closing it. */
  readonly release: () => void
  /** Closes it, after its closing line. */
  readonly end: () => void
}

/** Connections that a call left open for the next one, one per name. */
export class KeptSockets {
  readonly #clock: Clock
  readonly #kept = new Map<string, KeptSocket>()
  /** Connections on which the closing line was sent. */
  readonly #closing = new Set<Promise<void>>()
  #closed = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Keeps a connection; it is closed when its time is over, the server sends anything or closes it, or another takes its name. */
  put(name: string, socket: Socket, { ms, state, closingLine }: Keeping): void {
    this.#kept.get(name)?.end()
    for (const oldest of [...this.#kept.values()].slice(0, Math.max(0, this.#kept.size - MOST + 1))) oldest.end()
    if (this.#closed) return this.#end(socket, closingLine)
    const release = (): void => {
      stop()
      socket.off('readable', onData).off('end', drop).off('close', drop)
      if (this.#kept.get(name)?.socket === socket) this.#kept.delete(name)
      socket.ref()
    }
    const drop = (): void => {
      release()
      socket.destroy()
    }
    const end = (): void => {
      release()
      this.#end(socket, closingLine)
    }
    // A server that sends without a request is closing the connection.
    const onData = (): void => {
      if (socket.read() !== null) drop()
    }
    const stop = this.#clock.after(Math.min(ms, LONGEST_MS), end)
    socket.on('readable', onData).on('end', drop).on('close', drop)
    // It does not keep the process alive.
    socket.unref()
    this.#kept.set(name, { socket, state, release, end })
  }

  /** The connection under a name, now owned by the caller; null when there is none. */
  take(name: string): { readonly socket: Socket; readonly state: string } | null {
    const kept = this.#kept.get(name)
    if (kept === undefined) return null
    kept.release()
    return kept.socket.destroyed ? null : kept
  }

  /** Closes all connections at once, those with a closing line within a second; none is kept afterwards. */
  async close(): Promise<void> {
    this.#closed = true
    for (const { end } of [...this.#kept.values()]) end()
    await Promise.all(this.#closing)
  }

  /** Sends the closing line and closes the connection when the server has answered it, has closed it or is late. */
  #end(socket: Socket, closingLine: string | undefined): void {
    if (closingLine === undefined || !socket.writable) return void socket.destroy()
    const stop = this.#clock.after(CLOSING_MS, () => void socket.destroy())
    const closing = new Promise<void>((resolve) => socket.once('close', resolve))
    this.#closing.add(closing)
    void closing.then(() => {
      stop()
      this.#closing.delete(closing)
    })
    socket.on('readable', () => {
      if (socket.read() !== null) socket.destroySoon()
    })
    socket.write(`${closingLine}\r\n`)
  }
}
