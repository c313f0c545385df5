import type { Socket } from 'node:net'
import { expect } from 'chai'
import { RetryBudget } from '../../../core/outbound/api.js'
import { accessTo, cancelIn, faultOf, outboundKit } from '../../support/outbound.js'
import { rawServer } from '../../../core/sdk/testkit/servers.js'

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-type: application/json\r\n\r\n{}'

/** Serves the first request of each connection; `second` says what becomes of the next one on it. */
async function staling(second: (socket: Socket) => void) {
  const served = new WeakSet<Socket>()
  let requests = 0
  const server = await rawServer((socket) => {
    requests++
    if (served.has(socket)) return second(socket)
    served.add(socket)
    socket.write(OK)
  })
  return { ...server, requests: () => requests }
}

/** A turn of the event loop, after which the HTTP client gives a connection back. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('outbound: repeats', () => {
  for (const [how, second] of [
    ['closed', (socket: Socket) => void socket.end()],
    ['reset', (socket: Socket) => void socket.resetAndDestroy()],
  ] as const) {
    it(`a kept-alive connection that was ${how} before any reply byte is repeated once, unseen`, async () => {
      const server = await staling(second)
      const kit = outboundKit()
      const access = accessTo(server.url)
      for (let turn = 0; turn < 4; turn++) {
        expect((await kit.api.request(access, { path: '/', json: {} }, cancelIn(), { once: false })).status).to.equal(200)
        await settled()
      }
      expect([server.requests(), server.connections()]).to.deep.equal([6, 4])
      await kit.close()
      await server.close()
    })

    it(`F-25 the same ${how} for a call that acts is one request and an ambiguous fault`, async () => {
      const server = await staling(second)
      const kit = outboundKit()
      const access = accessTo(server.url)
      await kit.api.request(access, { path: '/', json: {} }, cancelIn(), { once: true })
      await settled()
      const fault = await faultOf(kit.api.request(access, { path: '/', json: {} }, cancelIn(), { once: true }))
      expect([fault.kind, fault.ambiguous, server.requests()]).to.deep.equal(['broken', true, 2])
      await kit.close()
      await server.close()
    })
  }

  it('a repeat never meets another old connection, also when the vendor has dropped them all', async () => {
    const server = await staling((socket) => void socket.end())
    const kit = outboundKit()
    const access = accessTo(server.url)
    const round = () => Promise.all(Array.from({ length: 3 }, () => kit.api.request(access, { path: '/' }, cancelIn(), { once: false })))
    await round()
    await settled()
    expect((await round()).map((reply) => reply.status)).to.deep.equal([200, 200, 200])
    expect([server.requests(), server.connections()]).to.deep.equal([9, 6])
    await kit.close()
    await server.close()
  })

  it('a fresh connection that is reset is not repeated, nor one that answered in part', async () => {
    let requests = 0
    const fresh = await rawServer((socket) => {
      requests++
      socket.resetAndDestroy()
    })
    const kit = outboundKit()
    await faultOf(kit.api.request(accessTo(fresh.url), { path: '/' }, cancelIn(), { once: false }))
    expect(requests).to.equal(1)
    const partial = await staling((socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{'))
    const access = accessTo(partial.url)
    await kit.api.request(access, { path: '/' }, cancelIn(), { once: false })
    await settled()
    await faultOf(kit.api.request(access, { path: '/' }, cancelIn(), { once: false }))
    expect(partial.requests()).to.equal(2)
    await kit.close()
    await Promise.all([fresh.close(), partial.close()])
  })

  it('statuses are never repeated here: the waterfall decides', async () => {
    let requests = 0
    const server = await rawServer((socket) => {
      requests++
      socket.write('HTTP/1.1 503 no\r\ncontent-length: 0\r\n\r\n')
    })
    const kit = outboundKit()
    await faultOf(kit.api.request(accessTo(server.url), { path: '/' }, cancelIn(), { once: false }))
    expect(requests).to.equal(1)
    await kit.close()
    await server.close()
  })

  it('repeats are at most a fifth of the requests under way, and three', () => {
    const budget = new RetryBudget()
    const three = [budget.take(), budget.take(), budget.take()]
    expect(three.every((one) => one !== null)).to.equal(true)
    expect(budget.take()).to.equal(null)
    three[0]?.()
    expect(budget.take()).not.to.equal(null)
    for (let at = 0; at < 20; at++) budget.begin()
    expect(budget.take()).not.to.equal(null)
    expect(budget.take()).to.equal(null)
    for (let at = 0; at < 20; at++) budget.end()
    expect(budget.take()).to.equal(null)
  })
})
