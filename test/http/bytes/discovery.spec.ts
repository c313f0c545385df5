import { expect } from 'chai'
import { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import sinon from 'sinon'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { HandClock } from '../../support/outbound.js'
import { expectProblem } from '../../support/problem.js'
import { Stage } from '../../support/stage.js'
import { until } from '../../support/time.js'

const DOCUMENTS = [
  '/v1/openapi.json',
  '/v1/tools',
  '/v1/tools?format=raw',
  '/v1/capabilities',
  '/llms.txt',
  '/console',
  '/errors',
  '/errors/overloaded',
]

describe('documents that nobody reads', () => {
  const stage = new Stage()
  const clock = new HandClock()
  const load = { delayMs: 0, heapShare: 0, residentShare: 0 }
  let gateway: TestGateway
  before(
    async () =>
      (gateway = await startGateway({
        script: { 'test.echo': [stage.vendor('one')] },
        overrides: { clock, measureLoad: () => load },
      })),
  )
  after(async () => await gateway.close())
  afterEach(() => sinon.restore())

  it('A1 are one buffer for all requests: an answer costs no copy', async () => {
    for (const path of DOCUMENTS) {
      const [write, end] = [sinon.spy(ServerResponse.prototype, 'write'), sinon.spy(ServerResponse.prototype, 'end')]
      await gateway.get(path)
      await gateway.get(path)
      const sent = [...write.args, ...end.args].map(([chunk]) => chunk as unknown).filter((chunk) => chunk !== undefined)
      sinon.restore()
      expect(sent.length, path).to.be.at.least(2)
      expect(
        sent.every((chunk) => Buffer.isBuffer(chunk)),
        `${path} as bytes`,
      ).to.equal(true)
      expect(new Set(sent.map((chunk) => (chunk as Buffer).buffer)).size, path).to.equal(1)
    }
  })

  it('A1 count as memory of nobody, also a hundred of them behind a call on one connection', async () => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.pause()
    const body = JSON.stringify({ text: 'wait' })
    let answered = 0
    gateway.server.on('request', (_request, response: ServerResponse) => void response.once('close', () => answered++))
    socket.write(
      `POST /v1/test/echo HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${gateway.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    await stage.until(() => stage.waiting === 1)
    const [write, end] = [sinon.spy(ServerResponse.prototype, 'write'), sinon.spy(ServerResponse.prototype, 'end')]
    socket.write('GET /v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(100))
    await until(() => write.callCount + end.callCount >= 100)
    expect(gateway.app.services.bytes.bytes).to.equal(0)
    socket.destroy()
    await until(() => answered === 101)
  })

  it('A1 are refused while load is shed for memory, in which the resident part of the limit counts; probes and operators are not', async () => {
    load.residentShare = 0.9
    clock.advance(1_000)
    expect((await gateway.get('/v1/openapi.json')).status, 'one bad reading does not affect light work').to.equal(200)
    clock.advance(1_000)
    expectProblem(await gateway.get('/v1/openapi.json'), 'overloaded')
    expectProblem(await gateway.post('/v1/test/echo', { text: 'hi' }), 'overloaded')
    expect((await gateway.get('/healthz')).status).to.equal(200)
    expect((await gateway.admin('GET', '/admin/v1/accounts/default')).status).to.equal(200)
    load.residentShare = 0.85
    clock.advance(1_000)
    expect((await gateway.get('/v1/openapi.json')).status).to.equal(200)
  })
})
