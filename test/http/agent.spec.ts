import { expect } from 'chai'
import { startGateway, type TestGateway } from '../support/gateway.js'
import { expectProblem } from '../support/problem.js'
import { Stage } from '../support/stage.js'

describe('POST /v1/agent and /v1/estimate', () => {
  const stage = new Stage()
  let gateway: TestGateway
  let key: string
  before(async () => {
    gateway = await startGateway({ script: { 'test.echo': [stage.vendor('one')], 'test.send': [stage.vendor('post')] } })
    key = (await gateway.newKey()).key
  })
  after(async () => await gateway.close())
  const agent = (body: unknown) => gateway.send('/v1/agent', { body, key })
  const estimate = (body: unknown) => gateway.send('/v1/estimate', { body, key })

  for (const capability of ['test.echo', 'test_echo', 'test-echo', 'test/echo', '/v1/test/echo', 'echo', 'TEST.ECHO'])
    it(`takes the name ${capability}`, async () => {
      const reply = await agent({ capability, params: { text: 'hi', mode: 'loud' } })
      expect(reply.status, reply.text).to.equal(200)
      expect(reply.json()).to.deep.include({ data: { text: 'hi' }, credits_used: 2 })
      expect(reply.headers['x-credits-used']).to.equal('2')
    })

  for (const capability of ['nothing', 'agent', '/v1/agent', '__proto__', 'constructor', 'x'.repeat(200)])
    it(`refuses the name ${capability.slice(0, 20)} at its place`, async () => {
      const envelope = expectProblem(await agent({ capability }), 'validation-failed')
      expect(envelope.detail?.[0]).to.deep.include({ loc: ['body', 'capability'] })
    })

  it('names the nearest id', async () =>
    expect(expectProblem(await agent({ capability: 'test.ecko' }), 'validation-failed').error?.detail).to.contain('test.echo'))

  it('checks params as the own endpoint does, with their place under params, all faults at once', async () => {
    const own =
      expectProblem(await gateway.send('/v1/test/echo', { body: { mode: 'odd', times: '2', extra: 1 }, key }), 'validation-failed')
        .detail ?? []
    const named =
      expectProblem(await agent({ capability: 'echo', params: { mode: 'odd', times: '2', extra: 1 } }), 'validation-failed').detail ?? []
    expect(own.map(({ loc }) => loc)).to.have.deep.members([
      ['body', 'text'],
      ['body', 'mode'],
      ['body', 'times'],
      ['body', 'extra'],
    ])
    expect(named).to.have.deep.members(own.map(({ loc, ...rest }) => ({ loc: ['body', 'params', ...loc.slice(1)], ...rest })))
  })

  it('checks the rules over several fields too', async () => {
    const { detail } = expectProblem(await agent({ capability: 'echo', params: { text: 'never', times: 2 } }), 'validation-failed')
    expect(detail?.[0]).to.deep.include({ loc: ['body', 'params', 'times'] })
  })

  it('refuses unknown fields beside capability and params, and params that are no object', async () => {
    expect(expectProblem(await agent({ capability: 'echo', parameters: {} }), 'validation-failed').detail?.[0]?.loc).to.deep.equal([
      'body',
      'parameters',
    ])
    for (const params of [null, [], 'x', 1]) expectProblem(await agent({ capability: 'echo', params }), 'validation-failed')
  })

  it("is recorded under the capability's own path, with via", async () => {
    await agent({ capability: 'echo', params: { text: 'recorded' } })
    const { calls } = (await gateway.send('/v1/calls?limit=1', { key })).json<{ calls: Record<string, unknown>[] }>()
    expect(calls[0]).to.include({ endpoint: '/v1/test/echo', capability: 'test.echo', via: '/v1/agent' })
  })

  it('estimate answers price and breakdown for nothing, by any name', async () => {
    const before = await gateway.money()
    expect((await estimate({ capability: 'echo', params: { text: 'hi', mode: 'loud' } })).json()).to.deep.equal({
      capability: 'test.echo',
      credits: 2,
      breakdown: [{ item: 'loud', credits: 2 }],
    })
    const half = await estimate({ capability: 'test_send', params: { text: 'hi' } })
    expect(half.json()).to.deep.equal({ capability: 'test.send', credits: 0.5, breakdown: [{ item: 'call', credits: 0.5 }] })
    expect(half.headers['x-credits-used']).to.equal('0')
    expect(await gateway.money()).to.deep.equal(before)
    expect(stage.texts.filter((entry) => entry.endsWith(':hi')).length).to.equal(7)
  })

  it('estimate checks as the call would', async () => {
    expect(expectProblem(await estimate({ capability: 'echo', params: {} }), 'validation-failed').detail?.[0]?.loc).to.deep.equal([
      'body',
      'params',
      'text',
    ])
    expectProblem(await estimate({ capability: 'nothing' }), 'validation-failed')
    expectProblem(await estimate({}), 'validation-failed')
  })
})
