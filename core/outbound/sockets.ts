import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel'
import { connect, type Socket, type TcpNetConnectOpts } from 'node:net'

const CREATED = 'net.client.socket'

/** The one place that opens sockets to foreign hosts, and the count of sockets that were opened elsewhere in the process. */
export class Sockets {
  #opened = 0
  #foreign = 0
  #opening = false
  readonly #watch = (): void => {
    if (!this.#opening) this.#foreign++
  }

  /** Sockets opened here since the start. */
  get opened(): number {
    return this.#opened
  }

  /** Client sockets that other code of the process opened while `audit` was on. */
  get foreign(): number {
    return this.#foreign
  }

  /** Opens a socket; connection errors come as its `error` event. */
  open(options: TcpNetConnectOpts): Socket {
    this.#opening = true
    try {
      this.#opened++
      return guarded(connect(options))
    } finally {
      this.#opening = false
    }
  }

  /** Starts counting sockets opened elsewhere; the returned function stops it. */
  audit(): () => void {
    channel(CREATED)
    subscribe(CREATED, this.#watch)
    return () => void unsubscribe(CREATED, this.#watch)
  }
}

/** A socket between two owners must not end the process: its error is followed by `close`, which every owner watches. */
export function guarded<S extends Socket>(socket: S): S {
  return socket.on('error', () => undefined)
}
