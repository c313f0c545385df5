import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GuardProxy } from '../../core/outbound/types.js'

/** A TCP port of loopback in front of a guard proxy, for clients that take no Unix socket. */
export class ProxyPort {
  readonly #open = new Set<Socket>()
  readonly #server = createServer({ allowHalfOpen: true })
  #folder = ''

  /** Opens the port, once, and answers its number. */
  async open(proxy: GuardProxy): Promise<number> {
    if (this.#folder === '') {
      this.#folder = await mkdtemp(join(tmpdir(), 'capstan-proxy-port-'))
      const path = join(this.#folder, 'proxy')
      await proxy.listenOnSocket(path)
      this.#server.on('connection', (near) => {
        const far = connect({ path, allowHalfOpen: true })
        for (const [socket, other] of [
          [near, far],
          [far, near],
        ] as const) {
          this.#open.add(socket)
          socket.on('error', () => undefined)
          socket.once('close', () => {
            this.#open.delete(socket)
            other.destroy()
          })
          socket.pipe(other)
        }
      })
      await new Promise<void>((resolve) => void this.#server.listen(0, '127.0.0.1', resolve))
    }
    return (this.#server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    if (this.#folder === '') return
    for (const socket of this.#open) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
    await rm(this.#folder, { recursive: true, force: true })
  }
}
