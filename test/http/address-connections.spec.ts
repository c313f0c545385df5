import { expect } from 'chai'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { boundAddressConnections } from '../../core/http/client-address.js'

describe('connections of one address', () => {
  let server: Server
  const clients: Socket[] = []

  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy()
    server.close()
    server.closeAllConnections()
  })

  const listen = async (most: number, trusted: readonly string[] = []): Promise<void> => {
    server = createServer((_request, response) => void response.end('served'))
    boundAddressConnections(server, { most, trusted })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  }

  /** Whether a connection from this address gets an answer; a served one stays open. */
  const isServed = async (from: string): Promise<boolean> => {
    const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', localAddress: from })
    clients.push(client)
    client.on('error', () => undefined)
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    return await Promise.race([once(client, 'data').then(() => true), once(client, 'close').then(() => false)])
  }

  it('beyond the bound are closed at once, and take nothing from other addresses', async () => {
    await listen(2)
    const served = []
    for (let count = 0; count < 4; count++) served.push(await isServed('127.0.0.1'))
    expect(served).to.deep.equal([true, true, false, false])
    expect(await isServed('127.0.0.2')).to.equal(true)
  })

  it('count for as long as they are open', async () => {
    await listen(1)
    for (let count = 0; count < 3; count++) {
      expect(await isServed('127.0.0.1')).to.equal(true)
      const gone = new Promise<void>((resolve) => server.once('connection', (socket) => void socket.once('close', () => resolve())))
      expect(await isServed('127.0.0.1')).to.equal(false)
      await gone
      const [first] = clients.splice(0)
      const ended = new Promise<void>((resolve) => {
        const check = (): void => void server.getConnections((_error, open) => (open === 0 ? resolve() : setImmediate(check)))
        check()
      })
      first?.destroy()
      await ended
    }
  })

  it('are not bound for a trusted proxy', async () => {
    await listen(1, ['127.0.0.1/32'])
    for (let count = 0; count < 3; count++) expect(await isServed('127.0.0.1')).to.equal(true)
  })
})
