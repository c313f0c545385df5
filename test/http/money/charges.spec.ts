import { expect } from 'chai'
import sinon from 'sinon'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { expectHeaders, expectProblem } from '../../support/problem.js'
import { Stage } from '../../support/stage.js'

const ECHO = '/v1/test/echo'

describe('the price of a call', () => {
  const stage = new Stage()
  let gateway: TestGateway
  let key: string
  before(async () => {
    const script = { 'test.echo': [stage.vendor('one', { fails: ['second'] }), stage.vendor('two')], 'test.send': [stage.vendor('post')] }
    gateway = await startGateway({ script, env: { CAPSTAN_LIMIT_ANSWER: '4000' } })
    key = (await gateway.newKey()).key
  })
  after(async () => await gateway.close())
  const call = (body: unknown, path = ECHO) => gateway.send(path, { method: 'POST', body, key })

  it('is charged once on success, and balance and held are exact when the answer is complete (L8, L12)', async () => {
    const before = await gateway.money()
    const reply = await call({ text: 'hi', mode: 'loud' })
    expect(await gateway.money()).to.deep.equal({ balance: before.balance - 2, held: 0, available: before.available - 2 })
    expect(reply.json()).to.deep.include({ success: true, data: { text: 'hi' }, error: null, credits_used: 2 })
    expect(reply.headers).to.include({ 'x-credits-used': '2', 'x-credits-balance': String(before.balance - 2) })
    expectHeaders(reply)
  })

  it('L9 is held until the limit of this very call and half a minute more', async () => {
    const hold = sinon.spy(gateway.app.services.store.ledger, 'hold')
    // What is brief may take 80 ms, everything else five seconds.
    for (const text of ['hi', 'brief']) await call({ text }, '/v1/test/send')
    hold.restore()
    const [usual, brief] = hold.args.map(([{ deadline, now }]) => deadline - now)
    expect(usual).to.be.closeTo(35_000, 500)
    expect(brief).to.be.closeTo(30_080, 500)
  })

  it('may be a fraction of a credit', async () => {
    const before = await gateway.money()
    const reply = await call({ text: 'hi' }, '/v1/test/send')
    expect(reply.json().credits_used).to.equal(0.5)
    expect(reply.headers['x-credits-used']).to.equal('0.5')
    expect((await gateway.money()).balance).to.equal(before.balance - 0.5)
  })

  for (const [text, slug] of [
    ['missing', 'no-result'],
    ['blocked', 'target-blocked'],
    ['broken', 'providers-failed'],
    ['brief', 'deadline-exceeded'],
    ['bug', 'providers-failed'],
    ['invalid', 'validation-failed'],
  ] as const) {
    it(`is given back when the work ends as ${slug} (${text})`, async () => {
      const before = await gateway.money()
      expectProblem(await call({ text }), slug)
      expect(await gateway.money()).to.deep.equal(before)
    })
  }

  it('is charged once when the second provider has the answer, and both are in metadata', async () => {
    const before = await gateway.money()
    const envelope = (await call({ text: 'second' })).json()
    expect(envelope.metadata).to.deep.include({
      provider_used: 'two',
      providers_tried: ['one', 'two'],
      mode_used: 'plain',
      credits_balance: before.balance - 1,
    })
    expect(envelope.metadata.attempts.map(({ provider, port, outcome }) => ({ provider, port, outcome }))).to.deep.equal([
      { provider: 'one', port: 'test.echo', outcome: 'broken' },
      { provider: 'two', port: 'test.echo', outcome: 'ok' },
    ])
    expect((await gateway.money()).balance).to.equal(before.balance - 1)
  })

  it('is not charged for an answer over limits.answer', async () => {
    const before = await gateway.money()
    const envelope = expectProblem(await call({ text: 'huge' }), 'answer-too-large')
    expect(envelope.error?.detail).to.contain('limits.answer')
    expect(envelope.error?.is_retriable).to.equal(false)
    expect(envelope.error?.alternative_action).to.match(/^Request less/)
    expect(await gateway.money()).to.deep.equal(before)
  })

  it('beyond the balance is 402 with the numbers, and no vendor is called', async () => {
    const { id, key: poor } = await gateway.newAccount(1.5)
    const before = stage.texts.length
    const reply = await gateway.send(ECHO, { body: { text: 'hi', mode: 'loud' }, key: poor })
    const envelope = expectProblem(reply, 'insufficient-credits')
    expect(envelope.error?.detail)
      .to.match(/costs 2 credits/)
      .and.match(/1\.5 available/)
    expect(envelope.error?.alternative_action).to.contain('capstan credits grant')
    expect(stage.texts.length).to.equal(before)
    expect(await gateway.money(id)).to.deep.equal({ balance: 1.5, held: 0, available: 1.5 })
    expect((await gateway.send(ECHO, { body: { text: 'hi' }, key: poor })).status).to.equal(200)
    expect(await gateway.money(id)).to.deep.equal({ balance: 0.5, held: 0, available: 0.5 })
  })

  it('T-61 of parallel calls with money for ten is paid by exactly ten', async () => {
    const { id, key: poor } = await gateway.newAccount(10)
    const replies = await Promise.all(Array.from({ length: 40 }, () => gateway.send(ECHO, { body: { text: 'hi' }, key: poor })))
    const statuses = replies.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).to.have.length(10)
    expect(statuses.every((status) => [200, 402, 429].includes(status))).to.equal(true)
    expect(await gateway.money(id)).to.deep.equal({ balance: 0, held: 0, available: 0 })
  })

  it('over the cap of a key is 403, free, and what is under it still passes', async () => {
    const { key: capped } = await gateway.newKey({ credit_limit: 2.5 })
    const use = (mode: string) => gateway.send(ECHO, { body: { text: 'hi', mode }, key: capped })
    expect((await use('loud')).status).to.equal(200)
    const before = await gateway.money()
    expect(expectProblem(await use('plain'), 'key-not-allowed').error?.detail).to.contain('credit_limit')
    expect((await gateway.send('/v1/test/send', { body: { text: 'hi' }, key: capped })).status).to.equal(200)
    expect((await gateway.money()).balance).to.equal(before.balance - 0.5)
  })

  it('a failed call gives the room under the cap back', async () => {
    const { key: capped } = await gateway.newKey({ credit_limit_per_day: 1 })
    for (let round = 0; round < 3; round++)
      expect((await gateway.send(ECHO, { body: { text: 'missing' }, key: capped })).status).to.equal(422)
    expect((await gateway.send(ECHO, { body: { text: 'hi' }, key: capped })).status).to.equal(200)
    expectProblem(await gateway.send(ECHO, { body: { text: 'hi' }, key: capped }), 'key-not-allowed')
  })

  it('the balance in the header is the one after the last call, on every route', async () => {
    const { balance } = await gateway.money()
    await call({ text: 'hi' })
    for (const reply of [await gateway.send('/v1/account', { key }), await gateway.send('/v1/keys', { key }), await call({})])
      expect(reply.headers['x-credits-balance']).to.equal(String(balance - 1))
  })

  it('a provider that says invalid is 422 at the field, under params when called by name', async () => {
    expect(expectProblem(await call({ text: 'invalid' }), 'validation-failed').detail).to.deep.equal([
      { loc: ['body', 'text'], msg: 'The provider said invalid.', type: 'value_error' },
    ])
    const byName = await call({ capability: 'test.echo', params: { text: 'invalid' } }, '/v1/agent')
    expect(expectProblem(byName, 'validation-failed').detail?.[0]?.loc).to.deep.equal(['body', 'params', 'text'])
  })

  it("busy providers are transient, with the vendor's wait", async () => {
    const envelope = expectProblem(await call({ text: 'busy' }), 'providers-failed', { category: 'transient' })
    expect(envelope.error?.retry_after_seconds).to.equal(7)
  })

  it('the ledger holds together afterwards', async () => {
    const report = (await gateway.admin('GET', '/admin/v1/ledger/check')).json<{ ok: boolean; problems: string[] }>()
    expect(report.problems).to.deep.equal([])
    expect(report.ok).to.equal(true)
  })
})
