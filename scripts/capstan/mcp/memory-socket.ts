import { Duplex } from 'node:stream'

/** One end of a connection within this process. */
class MemorySocket extends Duplex {
  /** Node's HTTP server reads the peer's address here. */
  readonly remoteAddress: string
  #peer: MemorySocket | null = null
  /** Continues a write of the peer that this end had no room for. */
  #resume: (() => void) | null = null

  constructor(remoteAddress: string) {
    super()
    this.remoteAddress = remoteAddress
  }

  connect(peer: MemorySocket): void {
    this.#peer = peer
  }

  override _read(): void {
    const resume = this.#resume
    this.#resume = null
    resume?.()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const peer = this.#peer
    if (peer === null || peer.push(chunk)) return done()
    peer.#resume = done
  }

  override _final(done: () => void): void {
    this.#peer?.push(null)
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const peer = this.#peer
    this.#peer = null
    this.#resume?.()
    // A closed connection, not a failed one: the peer is not at fault.
    if (peer !== null) setImmediate(() => peer.destroy())
    done(error)
  }
}

/** A connection for `server.emit('connection', …)` and for a client's `createConnection`; `address`: the client's address. */
export function memoryConnection(address: string): { readonly client: Duplex; readonly server: Duplex } {
  const [client, server] = [new MemorySocket(''), new MemorySocket(address)]
  client.connect(server)
  server.connect(client)
  return { client, server }
}
