import { expect } from 'chai'
import { openMongoStore } from '../../core/store/mongodb/store.js'
import type { Reply } from '../support/gateway.js'
import { call, eventually, Site, type Replica } from '../support/replicas.js'
import { Stage } from '../support/stage.js'

describe('replicas that start, are ready or not, and stop', function () {
  this.timeout(60_000)
  const site = new Site()
  const stage = new Stage()
  const script = { 'test.echo': [stage.vendor('one')] }
  before(async function () {
    await site.open(this)
  })
  beforeEach(() => site.empty())
  afterEach(async () => {
    stage.release()
    await site.end()
  })
  after(() => site.close())

  const ready = (replica: Replica): Promise<Reply> => replica.send('/readyz', { key: null })
  const statuses = async (replicas: readonly Replica[]): Promise<number[]> =>
    await Promise.all(replicas.map(async (replica) => (await ready(replica)).status))

  it('eight that start at the same moment on an empty database make one account, one opening balance and one key', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => site.replica({ script })))
    const made = all.flatMap(({ firstRun }) => (firstRun === null ? [] : [firstRun]))
    expect(made).to.have.length(1)
    expect(await site.documents('keys')).to.have.length(1)
    expect((await site.entries()).map(({ ref, amount }) => [ref, amount])).to.deep.equal([['opening-balance', 1_000_000]])
    for (const replica of all) expect((await call(replica, made[0]?.key ?? '')).status).to.equal(200)
    expect(await site.gateways()).to.have.length(8)
    expect(new Set(await statuses(all))).to.deep.equal(new Set([200]))
  })

  it('one that cannot reach MongoDB is not ready and says so, the others are; it is ready again when it can', async () => {
    const [well] = await site.start(1, { script })
    const ill = await site.replica({ script, mongoProxy: true })
    if (well === undefined) return expect.fail('no replica')
    const { key } = await well.newKey()
    for (const replica of [well, ill]) expect((await call(replica, key)).status).to.equal(200)
    const disarm = ill
      .mongo()
      .arm({ matches: ({ name }) => name === 'ping' || name === 'findAndModify', fault: 'cut-request', times: 1_000_000 })
    expect(await statuses([well, ill])).to.deep.equal([200, 503])
    expect((await ill.app.services.readiness()).checks.filter(({ ok }) => !ok).map(({ name }) => name)).to.deep.equal(['store'])
    expect((await ill.send('/healthz', { key: null })).status, 'it need not be started again').to.equal(200)
    expect((await call(well, key)).status).to.equal(200)
    disarm()
    await eventually(async () => (await ready(ill)).status === 200, 'it is ready again')
    expect((await call(ill, key)).status).to.equal(200)
  })

  it('a Redis that is away takes no replica out of service', async () => {
    const all = await site.start(2, { script, redisProxy: true })
    const { key } = (await all[0]?.newKey()) ?? expect.fail('no replica')
    for (const replica of all) await replica.redis().down()
    for (const replica of all) {
      const detail = async (): Promise<string> =>
        (await replica.app.services.readiness()).checks.find(({ name, ok }) => name === 'redis' && ok)?.detail ?? ''
      await eventually(async () => (await detail()).includes('does not answer'), 'the loss of Redis is noticed')
      expect((await call(replica, key)).status).to.equal(200)
      expect((await ready(replica)).status).to.equal(200)
    }
  })

  it('one that drains refuses new calls and ends those it has, while another serves', async () => {
    const [one, two] = await site.start(2, { script })
    if (one === undefined || two === undefined) return expect.fail('no replicas')
    const { key } = await one.newKey()
    const running = call(one, key, { text: 'wait' })
    await stage.until(() => stage.waiting === 1)
    one.app.drain()
    expect(await statuses([one, two])).to.deep.equal([503, 200])
    expect((await call(one, key)).status).to.equal(503)
    expect((await call(two, key)).status).to.equal(200)
    stage.release()
    expect((await running).status).to.equal(200)
    await site.leave(one)
    expect((await site.gateways()).filter(({ ended }) => ended !== true)).to.have.length(1)
    expect((await site.entries()).filter(({ kind }) => kind === 'charge')).to.have.length(2)
  })

  it('each renews its lease every few seconds, and none is taken for dead while it does', async () => {
    const all = await site.start(4, { script })
    const seen = new Map<string, number>()
    for (let second = 0; second < 60; second++) {
      await site.pass(1_000)
      for (const { _id, expires } of await site.gateways())
        seen.set(String(_id), Math.min(seen.get(String(_id)) ?? Infinity, Number(expires) - site.now()))
      expect(await all[0]?.app.services.store.leases.dead(site.now())).to.deep.equal([])
    }
    expect(seen.size).to.equal(4)
    for (const left of seen.values()) expect(left).to.be.within(12_000, 20_000)
  })

  it('a first start that died after it made the account is made up for by the next, whichever replica that is', async () => {
    const store = await openMongoStore({ uri: site.uri })
    await store.settings.putIfAbsent('first-run', 'replica that died')
    await store.accounts.create({ id: 'default', name: 'default', now: site.now() })
    await store.close()
    await Promise.all([site.replica({ script }), site.replica({ script })])
    await site.replica({ script })
    expect((await site.entries()).map(({ ref, amount }) => [ref, amount])).to.deep.equal([['opening-balance', 1_000_000]])
  })
})
