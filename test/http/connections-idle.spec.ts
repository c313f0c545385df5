import { expect } from 'chai'
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
