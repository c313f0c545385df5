import { expect } from 'chai'
import type { CallRecord, Capstan } from '../../../clients/typescript/src/index.js'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { Stage } from '../../support/stage.js'
import { Answering, clientOf, thrown } from './support.js'

describe('the TypeScript client: keys, calls and what is free', function () {
  this.timeout(30_000)
  const stage = new Stage()
  let gateway: TestGateway
  let client: Capstan
  before(async () => {
    gateway = await startGateway({ script: { 'test.echo': [stage.vendor('one')], 'test.send': [stage.vendor('two')] } })
    const { key } = await gateway.newAccount(1_000)
    client = clientOf(gateway, { apiKey: key })
  })
  after(async () => await gateway.close())

  it('keys are made, listed, rotated and revoked', async () => {
    const made = await client.keys.create({ name: 'second', scopes: ['test.echo'], credit_limit: 5 })
    expect(made.key).to.match(/^cap_/)
    expect(made).to.deep.include({ name: 'second', scopes: ['test.echo'], credit_limit: 5, rate_limit_per_minute: 60 })
    const { keys, total } = await client.keys.list()
    expect(total).to.equal(2)
    expect(keys.map(({ id }) => id)).to.include(made.id)
    expect((await client.keys.list({ limit: 1, offset: 1 })).keys.map(({ id }) => id)).to.deep.equal([made.id])
    const rotated = await client.keys.rotate(made.id, { overlap_seconds: 60 })
    expect(rotated.key).to.match(/^cap_/).and.not.equal(made.key)
    expect((await clientOf(gateway, { apiKey: made.key }).account()).balance).to.equal(1_000)
    expect(await client.keys.revoke(rotated.id)).to.include({ success: true })
    expect(await thrown(clientOf(gateway, { apiKey: rotated.key }).run('test.echo', { text: 'hi' }))).to.have.property('status', 401)
  })

  it('the account says what it has', async () => {
    expect(await client.account()).to.include({ balance: 1_000, held: 0, available: 1_000, overage_limit: 0 })
  })

  it('an estimate has the price of a call, by its parts, and makes none', async () => {
    const before = stage.texts.length
    expect(await client.estimate('test.echo', { text: 'hi', mode: 'loud' })).to.deep.equal({
      capability: 'test.echo',
      credits: 2,
      breakdown: [{ item: 'loud', credits: 2 }],
    })
    expect(await thrown(client.estimate('test.echo', {}))).to.have.property('slug', 'validation-failed')
    expect(stage.texts).to.have.length(before)
  })

  it('capabilities are listed with price and state', async () => {
    const { capabilities } = await client.capabilities()
    expect(capabilities.map(({ id, live, price }) => [id, live, price])).to.deep.equal([
      ['test.echo', true, { plain: 1, loud: 2 }],
      ['test.send', true, { call: 0.5 }],
    ])
  })

  it('tools come in each format', async () => {
    expect((await client.tools()).map((tool) => tool.function.name)).to.deep.equal(['test_echo', 'test_send'])
    expect((await client.tools('openai', { single: true })).map((tool) => tool.function.name)).to.deep.equal(['capstan'])
    expect((await client.tools('claude')).map(({ name, input_schema: { type } }) => [name, type])).to.deep.equal([
      ['test_echo', 'object'],
      ['test_send', 'object'],
    ])
    expect((await client.tools('mcp')).tools.map(({ name }) => name)).to.deep.equal(['test_echo', 'test_send'])
    expect((await client.tools('raw', { live: true })).capabilities.map(({ id }) => id)).to.deep.equal(['test.echo', 'test.send'])
  })

  it('the history of calls is read page by page, newest first', async () => {
    for (let n = 1; n <= 5; n++) await client.run('test.echo', { text: `call ${n}` })
    const { calls } = (await gateway.send('/v1/calls', { key: await keyOf() })).json<{ calls: CallRecord[] }>()
    expect(calls).to.have.length(5)
    const read: CallRecord[] = []
    for await (const call of client.calls.list({ limit: 2 })) read.push(call)
    expect(read).to.deep.equal(calls)
    const after: string[] = []
    for await (const { id } of client.calls.list({ limit: 2, offset: 3 })) after.push(id)
    expect(after).to.deep.equal(calls.slice(3).map(({ id }) => id))

    async function keyOf(): Promise<string> {
      return (await client.keys.create()).key
    }
  })

  it('calls that come while pages are read move none out and repeat none', async () => {
    const server = await Answering.start()
    try {
      const pages = [['c', 'b'], ['b', 'a'], ['a']]
      server.says(
        ...pages.map(
          (ids) => (response: { end: (text: string) => void }) => response.end(JSON.stringify({ calls: ids.map((id) => ({ id })) })),
        ),
      )
      const read: string[] = []
      for await (const { id } of server.client().calls.list({ limit: 2, days: 3 })) read.push(id)
      expect(read).to.deep.equal(['c', 'b', 'a'])
      expect(server.requests.map(({ path }) => path)).to.deep.equal([
        '/v1/calls?limit=2&days=3&offset=0',
        '/v1/calls?limit=2&days=3&offset=2',
        '/v1/calls?limit=2&days=3&offset=4',
      ])
    } finally {
      await server.close()
    }
  })

  it('statistics of the last days', async () => {
    const { days, totals } = await client.calls.stats({ days: 2 })
    expect(days).to.equal(2)
    expect(totals).to.include({ calls: totals.successes + totals.errors, credits: 5 })
  })
})
