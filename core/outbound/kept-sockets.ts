import type { Socket } from 'node:net'
import type { Clock } from '../runtime/clock.js'

/** A connection is kept for so long at most, in milliseconds. */
const LONGEST_MS = 10_000
const MOST = 100

interface Kept {
  readonly socket: Socket
  readonly state: string
  readonly drop: () => void
  readonly forget: () => void
}

/** Connections that a call left open for the next one, one under each name. */
export class KeptSockets {
  readonly #clock: Clock
  readonly #kept = new Map<string, Kept>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Keeps a connection; it is closed when its time is over, the server says anything or ends it, or another takes its name. */
  put(name: string, socket: Socket, { ms, state }: { readonly ms: number; readonly state: string }): void {
    this.#kept.get(name)?.drop()
    for (const oldest of [...this.#kept.values()].slice(0, Math.max(0, this.#kept.size - MOST + 1))) oldest.drop()
    const forget = (): void => {
      stop()
      socket.off('readable', heard).off('end', drop).off('close', drop)
      if (this.#kept.get(name)?.socket === socket) this.#kept.delete(name)
      socket.ref()
    }
    const drop = (): void => {
      forget()
      socket.destroy()
    }
    const heard = (): void => {
      if (socket.read() !== null) drop()
    }
    const stop = this.#clock.after(Math.min(ms, LONGEST_MS), drop)
    socket.on('readable', heard).on('end', drop).on('close', drop)
    // The process may end without waiting for it.
    socket.unref()
    this.#kept.set(name, { socket, state, drop, forget })
  }

  /** The connection under a name, which is the caller's from now on; null when there is none. */
  take(name: string): { readonly socket: Socket; readonly state: string } | null {
    const kept = this.#kept.get(name)
    if (kept === undefined) return null
    kept.forget()
    return kept.socket.destroyed ? null : kept
  }
}
