import type { IncomingMessage, Server } from 'node:http'
import { inList } from '../runtime/address-range.js'
import { addressId } from '../limits/rate.js'
import { plainAddress } from './client-address.js'

/**
 * Limits the open connections of one address (IPv6: of one network), so that one caller cannot take all connections of
 * the server; further ones are closed at once, without an answer. Trusted proxies serve many callers and have no limit.
 */
export function boundAddressConnections(server: Server, { most, trusted }: { most: number; trusted: readonly string[] }): void {
  const open = new Map<string, number>()
  server.prependListener('connection', (socket: IncomingMessage['socket']) => {
    const address = plainAddress(socket.remoteAddress ?? '')
    if (trusted.length > 0 && inList(address, trusted)) return
    const id = addressId(address)
    const count = (open.get(id) ?? 0) + 1
    open.set(id, count)
    socket.once('close', () => {
      const left = (open.get(id) ?? 1) - 1
      if (left === 0) open.delete(id)
      else open.set(id, left)
    })
    if (count > most) socket.destroy()
  })
}
