import { expect } from 'chai'
import { until } from '../../support/time.js'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { HandClock } from '../../support/outbound.js'
import { expectProblem } from '../../support/problem.js'
import { Stage } from '../../support/stage.js'

const DAY = 86_400_000
interface Page {
  readonly calls: Record<string, unknown>[]
  readonly total: number
  readonly limit: number
  readonly offset: number
}
interface Stats {
  readonly days: number
  readonly totals: Record<string, number>
  readonly by_day: Record<string, unknown>[]
  readonly by_endpoint: Record<string, unknown>[]
}

describe('GET /v1/calls and /v1/calls/stats', () => {
  const stage = new Stage()
  const clock = new HandClock()
  let gateway: TestGateway
  let account: { id: string; key: string }
  before(async () => {
    clock.advance(40 * DAY)
    gateway = await startGateway({
      script: { 'test.echo': [stage.vendor('one')], 'test.send': [stage.vendor('post')] },
      overrides: { clock },
      file: 'products:\n  letters: [test.send]\n',
    })
    account = await gateway.newAccount(100)
    const call = (path: string, text: string, query = '') =>
      gateway.send(path + query, { body: { text }, key: account.key, headers: { 'x-request-id': `r-${text}` } })
    await call('/v1/test/echo', 'first')
    clock.advance(2 * DAY)
    await call('/v1/test/send', 'second', '?product=letters')
    await call('/v1/test/echo', 'missing')
    await call('/v1/test/echo', '')
    clock.advance(1_000)
    await gateway.app.services.refusals.flush()
  })
  after(async () => await gateway.close())
  const get = (path: string, key = account.key) => gateway.send(path, { key })
  const page = async (query = '') => (await get(`/v1/calls${query}`)).json<Page>()
  const stats = async (query = '') => (await get(`/v1/calls/stats${query}`)).json<Stats>()

  it('lists calls newest first with every field, and refused ones not at all', async () => {
    const { calls, total, limit, offset } = await page()
    expect({ total, limit, offset }).to.deep.equal({ total: 3, limit: 50, offset: 0 })
    expect(calls.map(({ request_id }) => request_id)).to.deep.equal(['r-missing', 'r-second', 'r-first'])
    expect(calls[2]).to.deep.include({
      endpoint: '/v1/test/echo',
      capability: 'test.echo',
      product: 'agent',
      mode: 'plain',
      status: 200,
      success: true,
      credits_used: 1,
      provider_used: 'one',
      providers_tried: ['one'],
      error_type: null,
      via: null,
    })
    expect(calls[1]).to.deep.include({ endpoint: '/v1/test/send', product: 'letters', mode: null, credits_used: 0.5 })
    expect(calls[0]).to.deep.include({ status: 422, success: false, credits_used: 0, provider_used: null, error_type: 'no-result' })
    expect(calls[0]).to.include.all.keys('id', 'response_time_ms', 'key_id', 'created_at')
  })

  it('pages are stable and complete', async () => {
    const ids = []
    for (let offset = 0; offset < 3; offset++) ids.push(...(await page(`?limit=1&offset=${offset}`)).calls.map(({ id }) => id))
    expect(ids).to.deep.equal((await page()).calls.map(({ id }) => id))
    expect((await page('?offset=3')).calls).to.deep.equal([])
  })

  it('filters by path, id, days and product', async () => {
    for (const endpoint of ['/v1/test/echo', 'test.echo'])
      expect((await page(`?endpoint=${encodeURIComponent(endpoint)}`)).total).to.equal(2)
    expect((await page('?endpoint=test.echo&product=letters')).total).to.equal(0)
    const unknown = expectProblem(await get('/v1/calls?endpoint=/v1/test/ehco'), 'validation-failed')
    expect(unknown.error?.detail).to.contain('did you mean /v1/test/echo?')
    expect((await page('?days=1')).total).to.equal(2)
    expect((await page('?days=365')).total).to.equal(3)
    expect((await page('?product=letters')).calls.map(({ capability }) => capability)).to.deep.equal(['test.send'])
    expect((await page('?product=agent')).total).to.equal(3)
  })

  it('stats count each day of the window, zeros too, and refused calls as errors', async () => {
    const { days, totals, by_day, by_endpoint } = await stats('?days=4')
    expect(days).to.equal(4)
    expect(totals).to.deep.equal({ calls: 4, successes: 2, errors: 2, credits: 1.5 })
    expect(by_day.map(({ calls, errors, credits }) => [calls, errors, credits])).to.deep.equal([
      [0, 0, 0],
      [1, 0, 1],
      [0, 0, 0],
      [3, 2, 0.5],
    ])
    expect(by_day.map(({ date }) => date)).to.deep.equal(
      [3, 2, 1, 0].map((back) => new Date(clock.now() - back * DAY).toISOString().slice(0, 10)),
    )
    expect(by_endpoint).to.have.deep.members([
      { endpoint: '/v1/test/echo', capability: 'test.echo', calls: 3, credits: 1, errors: 2 },
      { endpoint: '/v1/test/send', capability: 'test.send', calls: 1, credits: 0.5, errors: 0 },
    ])
  })

  it('stats are of seven days by default, and of a product on request', async () => {
    expect((await stats()).by_day).to.have.length(7)
    expect((await stats('?product=letters')).totals).to.include({ calls: 1, credits: 0.5 })
  })

  it('402, 403 and 429 count in stats and are not listed; 401 counts for nobody', async () => {
    const poor = await gateway.newAccount(0)
    const narrow = await gateway.newKey({ scopes: ['manage'], rate_limit_per_minute: 1 }, poor.id)
    for (const [key, status] of [
      [poor.key, 402],
      [narrow.key, 403],
      [narrow.key, 429],
      ['cap_wrong', 401],
    ] as const)
      expect((await gateway.send('/v1/test/echo', { body: { text: 'hi' }, key })).status).to.equal(status)
    await gateway.app.services.refusals.flush()
    const reply = (await gateway.send('/v1/calls/stats', { key: poor.key })).json<Stats>()
    expect(reply.totals).to.deep.equal({ calls: 3, successes: 0, errors: 3, credits: 0 })
    expect((await gateway.send('/v1/calls', { key: poor.key })).json<Page>().total).to.equal(0)
  })

  it('T-09 shows no other account anything', async () => {
    const other = await gateway.newAccount(1)
    expect((await get('/v1/calls', other.key)).json<Page>()).to.deep.include({ calls: [], total: 0 })
    expect((await get('/v1/calls/stats', other.key)).json<Stats>().totals).to.include({ calls: 0 })
  })

  for (const [query, field] of [
    ['product=nothing', 'product'],
    ['days=0', 'days'],
    ['days=366', 'days'],
    ['days=7.0', 'days'],
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['offset=-1', 'offset'],
    ['colour=red', 'colour'],
    ['days=1&days=2', 'days'],
  ] as const)
    it(`refuses ?${query}`, async () => {
      const { detail } = expectProblem(await get(`/v1/calls?${query}`), 'validation-failed')
      expect(detail?.[0]?.loc).to.deep.equal(['query', field])
    })
  for (const query of ['product=nothing', 'days=0', 'limit=1', 'colour=red'])
    it(`stats refuse ?${query}`, async () => void expectProblem(await get(`/v1/calls/stats?${query}`), 'validation-failed'))

  it('the account says what is left', async () => {
    expect((await get('/v1/account')).json()).to.deep.equal({
      id: account.id,
      name: 'Ada Example',
      balance: 98.5,
      held: 0,
      available: 98.5,
      overage_limit: 0,
    })
    const running = gateway.send('/v1/test/echo', { body: { text: 'wait' }, key: account.key })
    await stage.until(() => stage.waiting === 1)
    expect((await get('/v1/account')).json()).to.deep.include({ balance: 98.5, held: 1, available: 97.5 })
    stage.release()
    await running
    expect((await get('/v1/account')).json()).to.deep.include({ balance: 97.5, held: 0, available: 97.5 })
  })
})

describe('GET /v1/calls once the days of the history have passed', () => {
  const stage = new Stage()
  const clock = new HandClock()
  const logs: string[] = []
  let gateway: TestGateway
  let key: string
  before(async () => {
    const overrides = { clock, log: (_level: string, message: string) => void logs.push(message) }
    const env = { CAPSTAN_HISTORY_DAYS: '30' }
    gateway = await startGateway({ script: { 'test.echo': [stage.vendor('one')] }, overrides, env })
    key = (await gateway.newAccount(100)).key
  })
  after(async () => await gateway.close())
  const call = async (text: string) => {
    await gateway.send('/v1/test/echo', { body: { text }, key, headers: { 'x-request-id': `r-${text}` } })
    clock.advance(10)
  }
  const page = async (query = '') => (await gateway.send(`/v1/calls${query}`, { key })).json<Page>()
  const stats = async () => (await gateway.send('/v1/calls/stats?days=60', { key })).json<Stats>()
  const balance = async () => (await gateway.send('/v1/account', { key })).json<Record<string, unknown>>()

  it('lists the younger calls only; statistics, balance and journal stay', async () => {
    await call('first')
    await call('missing')
    clock.advance(20 * DAY)
    await call('second')
    const [before, money] = [await stats(), await balance()]
    expect((await page()).total).to.equal(3)
    clock.advance(10 * DAY - 1_000)
    expect((await page()).total, 'none is old enough').to.equal(3)
    clock.advance(3_600_000)
    await until(async () => {
      await page()
      clock.advance(50)
      return logs.includes('deleted details of old calls')
    })
    expect((await page()).calls.map(({ request_id }) => request_id)).to.deep.equal(['r-second'])
    expect((await page()).total).to.equal(1)
    expect((await page('?days=365&endpoint=test.echo')).total).to.equal(1)
    expect((await page('?offset=1')).calls).to.deep.equal([])
    expect((await stats()).totals).to.deep.equal(before.totals)
    expect(before.totals).to.include({ calls: 3, errors: 1, credits: 2 })
    expect(await balance()).to.deep.equal(money)
    const entries = await gateway.app.services.store.ledger.entries({ limit: 100 })
    expect(entries.filter(({ kind }) => kind === 'charge').map(({ amount, facts }) => [amount, facts?.request_id])).to.deep.equal([
      [-1000, undefined],
      [-1000, 'r-second'],
    ])
  })
})
