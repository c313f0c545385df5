import { expect } from 'chai'
import { Sockets, pinned } from '../../../core/outbound/sockets.js'
import { httpServer } from '../../../core/sdk/testkit/servers.js'
import { cancelIn, faultOf, outboundKit } from '../../support/outbound.js'

describe('outbound: connections', () => {
  it('T-17 a connection that ends up at another address than was checked is not used', async () => {
    const server = await httpServer((_request, response) => response.end())
    const { port } = server
    /** As a system that sends what is for one address to another. */
    class Elsewhere extends Sockets {
      override open(options: Parameters<Sockets['open']>[0]) {
        return super.open({ ...options, host: '127.0.0.1' })
      }
    }
    try {
      const fault = await faultOf(pinned(new Elsewhere(), ['127.0.0.2'], port))
      expect([fault.kind, fault.message]).to.deep.equal(['blocked', 'the connection did not reach the address that was checked'])
      const socket = await pinned(new Elsewhere(), ['127.0.0.2', '127.0.0.1'], port)
      expect(socket.remoteAddress).to.equal('127.0.0.1')
      socket.destroy()
    } finally {
      await server.close()
    }
  })

  it('T-16 a page of a foreign host is fetched from the ports of the web alone, whatever its address says', async () => {
    const kit = outboundKit()
    for (const port of [22, 25, 6379, 8080]) {
      const fault = await faultOf(kit.web.get(`http://93.184.215.14:${port}/`, {}, cancelIn()))
      expect([fault.kind, fault.message]).to.deep.equal(['blocked', `port ${port} is not open to foreign hosts`])
    }
    expect(kit.sockets.opened).to.equal(0)
    await kit.close()
  })
})
