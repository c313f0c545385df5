import { expect } from 'chai'
import { startGateway, send, type TestGateway } from '../support/gateway.js'
import { httpServer } from '../../core/http/server.js'
import { expectHeaders, expectProblem } from '../support/problem.js'
import { Stage } from '../support/stage.js'

describe('F-30 a gateway that stops', () => {
  const stage = new Stage()
  let gateway: TestGateway
  beforeEach(
    async () => (gateway = await startGateway({ script: { 'test.echo': [stage.vendor('one')], 'test.send': [stage.vendor('post')] } })),
  )
  afterEach(async () => await gateway.close())

  it('refuses new calls with 503 and Connection: close, says not ready, and lets running ones end', async () => {
    const running = gateway.post('/v1/test/echo', { text: 'wait' })
    await stage.until(() => stage.waiting === 1)
    gateway.app.drain()
    const refused = await gateway.post('/v1/test/echo', { text: 'hi' })
    expect(expectProblem(refused, 'overloaded').error?.retry_after_seconds).to.equal(2)
    expect(refused.headers.connection).to.equal('close')
    const ready = await gateway.send('/readyz', { key: null })
    expect(ready.status).to.equal(503)
    expect(ready.json()).to.deep.equal({ status: 'not ready' })
    expect((await gateway.send('/healthz', { key: null })).status).to.equal(200)
    expect(gateway.app.running()).to.equal(1)
    stage.release()
    expect((await running).status).to.equal(200)
    expect(gateway.app.running()).to.equal(0)
  })

  it('cut calls answer 503, and what they held is given back', async () => {
    const before = await gateway.money()
    const running = gateway.post('/v1/test/echo', { text: 'wait' })
    await stage.until(() => stage.waiting === 1)
    gateway.app.drain()
    gateway.app.cut()
    expectProblem(await running, 'overloaded')
    expect(await gateway.money()).to.deep.equal(before)
  })

  it('a cut call that may have acted is not to be retried', async () => {
    const running = gateway.post('/v1/test/send', { text: 'wait' })
    await stage.until(() => stage.waiting === 1)
    gateway.app.cut()
    expectProblem(await running, 'overloaded', { retriable: false })
  })

  it('T-73 the admin listener has probes with detail and metrics, and goes on answering', async () => {
    const server = httpServer(gateway.app.adminListener, { publicUrl: () => gateway.url, addressLimit: 600 })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
    await gateway.post('/v1/test/echo', { text: 'hi' })
    gateway.app.drain()
    expect((await send(`${url}/healthz`)).json()).to.deep.equal({ status: 'ok' })
    const ready = await send(`${url}/readyz`)
    expect(ready.status).to.equal(503)
    expect(ready.json<{ checks: { name: string; ok: boolean }[] }>().checks.find(({ name }) => name === 'draining')).to.include({
      ok: false,
    })
    expect((await send(`${url}/metrics`)).text).to.match(/^# HELP /m)
    expect((await send(`${url}/nothing`)).status).to.equal(404)
    expect((await gateway.send('/metrics', { key: null })).status, 'not on the main listener').to.equal(404)
    await new Promise((resolve) => server.close(resolve))
  })
})

describe('T-13 headers, origins and ids', () => {
  const origin = 'https://app.example.com'
  const startWith = (origins: string) => startGateway({ env: { CAPSTAN_CORS_ORIGINS: origins } })

  it('a configured origin may call, another gets no permission', async () => {
    const gateway = await startWith(origin)
    const preflight = (from: string) =>
      gateway.send('/v1/test/echo', { method: 'OPTIONS', key: null, headers: { origin: from, 'access-control-request-method': 'POST' } })
    expect((await preflight(origin)).status).to.equal(204)
    expect((await preflight(origin)).headers).to.include({ 'access-control-allow-origin': origin, vary: 'Origin' })
    expect((await preflight('https://evil.example.com')).headers).not.to.have.property('access-control-allow-origin')
    const failed = await gateway.send('/v1/account', { key: null, headers: { origin } })
    expect(failed.headers['access-control-allow-origin']).to.equal(origin)
    await gateway.close()
  })

  it('* lets every origin call', async () => {
    const gateway = await startWith('*')
    expect((await gateway.send('/healthz', { key: null, headers: { origin } })).headers['access-control-allow-origin']).to.equal(origin)
    await gateway.close()
  })

  it('a well-formed X-Request-Id is taken over, any other replaced', async () => {
    const gateway = await startGateway()
    const sendWithId = (id: string) => gateway.send('/v1/test/echo', { body: { text: 'hi' }, headers: { 'x-request-id': id } })
    for (const id of ['a', 'req-1.2:3_4', 'x'.repeat(128)]) {
      const reply = await sendWithId(id)
      expect(reply.headers['x-request-id']).to.equal(id)
      expect(reply.json().metadata.request_id).to.equal(id)
    }
    for (const id of ['', 'a b', '-a', '<script>', 'x'.repeat(129)]) {
      const reply = await sendWithId(id)
      expect(reply.headers['x-request-id']).to.match(/^req_[0-9a-f]{32}$/)
      expectHeaders(reply)
    }
    await gateway.close()
  })
})
