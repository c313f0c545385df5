import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { accessTo, cancelIn, outboundKit } from '../../support/outbound.js'
import { rawServer } from '../../../core/sdk/testkit/servers.js'

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'
const reply = (body: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\ncontent-type: application/json\r\n\r\n${body}`

describe('outbound: 100 Continue without a request for it', () => {
  const interims: Record<string, readonly string[]> = {
    'alone in its packet': [CONTINUE, reply('{}')],
    'with the reply': [CONTINUE + reply('{}')],
    'twice, with headers': [`HTTP/1.1 100 Go On\r\nserver: x\r\n\r\n${CONTINUE}`, CONTINUE + reply('{}')],
    'behind another interim reply': [`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${CONTINUE}`, reply('{}')],
  }
  for (const [how, packets] of Object.entries(interims))
    it(`is passed over: ${how}`, async () => {
      const server = await rawServer((socket) => {
        void (async () => {
          for (const packet of packets) {
            socket.write(packet)
            await turn()
          }
        })()
      })
      const kit = outboundKit({ allow: ['127.0.0.1'] })
      for (let count = 0; count < 2; count++) {
        const { status } = await kit.api.request(accessTo(server.url), { path: '/', json: {} }, cancelIn(), { once: true })
        expect(status).to.equal(200)
        // A turn after which the HTTP client gives the connection back.
        await turn()
      }
      expect(server.connections(), 'the connection is kept').to.equal(1)
      expect((await kit.web.get(server.url, {}, cancelIn())).status).to.equal(200)
      await kit.close()
      await server.close()
    })

  it('is left in a body that has those words', async () => {
    const body = JSON.stringify({ text: 'x'.repeat(200_000) })
    const server = await rawServer((socket) => {
      const whole = `HTTP/1.1 200 OK\r\ncontent-length: ${CONTINUE.length + body.length}\r\ncontent-type: text/plain\r\n\r\n`
      socket.write(whole)
      setImmediate(() => socket.write(CONTINUE, () => socket.write(body)))
    })
    const kit = outboundKit()
    const { bytes } = await kit.api.request(accessTo(server.url), { path: '/', reads: 'text' }, cancelIn(), { once: false })
    expect(Buffer.from(bytes).toString()).to.equal(CONTINUE + body)
    await kit.close()
    await server.close()
  })
})
