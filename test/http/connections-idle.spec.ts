import { expect } from 'chai'
import { Agent, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { httpServer } from '../../core/http/server.js'
import { collect } from '../support/collect.js'
import { startGateway, type TestGateway } from '../support/gateway.js'

describe('idle connections and slashes too many', () => {
  let gateway: TestGateway
  before(async () => (gateway = await startGateway({ env: { CAPSTAN_LIMIT_IDLE: '90' } })))
  after(async () => await gateway.close())

  it('N13 an idle connection stays open for the time of the setting, which every answer names', async () => {
    const reply = await fetch(new URL('/healthz', gateway.url))
    await reply.arrayBuffer()
    expect(reply.headers.get('keep-alive')).to.equal('timeout=90, max=1000')
    const other = await startGateway()
    const usual = await fetch(new URL('/healthz', other.url))
    await usual.arrayBuffer()
    expect(usual.headers.get('keep-alive')).to.equal('timeout=75, max=1000')
    await other.close()
  })

  it('an idle connection keeps neither its last request nor the response', async () => {
    const kept: WeakRef<object>[] = []
    const server = httpServer(
      (request, response) => {
        kept.push(new WeakRef(request), new WeakRef(response))
        gateway.app.listener(request, response)
      },
      { publicUrl: () => gateway.url, addressLimit: 600 },
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const agent = new Agent({ keepAlive: true })
    const { port } = server.address() as AddressInfo
    for (const path of ['/v1/openapi.json', '/healthz', '/v1/nothing'])
      await new Promise<void>((resolve, reject) => {
        get({ port, path, agent }, (reply) => reply.resume().on('end', resolve)).on('error', reject)
      })
    for (let turns = 0; turns < 20; turns++) await turn()
    collect()
    const open = await new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))
    agent.destroy()
    server.close()
    expect(open).to.equal(1)
    expect(kept.map((each) => each.deref())).to.deep.equal(Array.from({ length: 6 }, () => undefined))
  })

  it('N14 slashes too many are taken, for routes, capabilities and lists alike', async () => {
    const body = { capability: 'test.echo', params: { text: 'hi' } }
    for (const path of ['/v1/estimate/', '//v1/estimate', '/v1//estimate//'])
      expect((await gateway.send(path, { method: 'POST', body })).status, path).to.equal(
        (await gateway.send('/v1/estimate', { method: 'POST', body })).status,
      )
    for (const path of ['/v1/account/', '//v1///account']) expect((await gateway.send(path)).status, path).to.equal(200)
    for (const path of ['/v1/test/echo/', '//v1/test//echo'])
      expect((await gateway.send(path, { method: 'POST', body: { text: 'hi' } })).status, path).to.equal(200)
    expect((await gateway.send('/v1/nothing/')).status).to.equal(404)
  })
})
