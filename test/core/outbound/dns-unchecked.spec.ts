import { expect } from 'chai'
import { dnsServer } from '../../../core/sdk/testkit/dns-server.js'
import { cancelIn, faultOf, outboundKit } from '../../support/outbound.js'

const NAME = 'known.example'
const SERVFAIL = 2

describe('outbound: questions without validation', () => {
  it('a question without validation has the CD bit, and others have not', async () => {
    const server = await dnsServer(({ packet, name }) =>
      name.endsWith('.com')
        ? {}
        : packet.flag_cd
          ? { answers: [{ type: 'A', name: NAME, ttl: 300, data: '192.0.2.1' }] }
          : { rcode: SERVFAIL },
    )
    const kit = outboundKit({ dns: server.address })
    expect((await faultOf(kit.net.query(NAME, 'A', cancelIn()))).obstacle).to.equal('server-failure')
    expect((await kit.net.query(NAME, 'A', cancelIn(), { unchecked: true })).records).to.have.length(1)
    const received = server.queries.filter(({ name }) => name === NAME)
    expect(received.map(({ packet }) => [packet.flag_cd, packet.flag_rd])).to.deep.equal([
      [false, true],
      [true, true],
    ])
    await kit.close()
    await server.close()
  })
})
