import { expect } from 'chai'
import { LOG_EVENTS, type LogEventName } from '../../core/runtime/log-events.js'
import { call, eventually, Site, type Replica } from '../support/replicas.js'
import { Stage } from '../support/stage.js'

/** What a later version adds to documents; this one has nothing of it. */
const NEWS = { since_next_version: { level: 2, tags: ['new'] } }

describe('two versions side by side', function () {
  this.timeout(60_000)
  const site = new Site()
  const stage = new Stage()
  const script = { 'test.echo': [stage.vendor('one')] }
  let one: Replica
  let two: Replica
  let key: { id: string; key: string }
  const errors: string[] = []
  const overrides = {
    log: (event: LogEventName, message: string, fields: Readonly<Record<string, unknown>> = {}) => {
      if (['warn', 'error'].includes(LOG_EVENTS[event].level)) errors.push(`${message} ${JSON.stringify(fields)}`)
    },
  }
  before(async function () {
    await site.open(this)
  })
  beforeEach(async () => {
    await site.empty()
    errors.length = 0
    ;[one, two] = (await site.start(2, { script, overrides })) as [Replica, Replica]
    key = await one.newKey({ credit_limit: 500 })
    expect((await call(one, key.key)).status).to.equal(200)
  })
  afterEach(async () => {
    stage.release()
    expect(errors).to.deep.equal([])
    await site.end()
  })
  after(() => site.close())

  /** Adds the later version's field to all documents of a collection, or below the path given. */
  const renew = async (collection: string, path = ''): Promise<void> => {
    const fields = Object.fromEntries(Object.entries(NEWS).map(([name, value]) => [path + name, value]))
    const { matchedCount } = await (await site.collection(collection)).updateMany({}, { $set: fields })
    expect(matchedCount, collection).to.be.at.least(1)
  }
  const kept = async (collection: string, of: (document: Record<string, unknown>) => unknown = (document) => document): Promise<void> => {
    const documents = collection === 'gateways' ? await site.gateways() : await site.documents(collection)
    expect(documents, collection).not.to.have.length(0)
    for (const document of documents) expect(of(document), collection).to.deep.include(NEWS)
  }
  const first = async (collection: string): Promise<Record<string, unknown>> =>
    (await site.documents(collection))[0] ?? expect.fail(collection)

  it('F-41 an account with fields of a later version holds, charges, gives back and is granted, and keeps them', async () => {
    await renew('accounts')
    await renew('accounts', `caps.${key.id}.`)
    expect((await call(two, key.key)).status).to.equal(200)
    expect((await call(one, key.key, { text: 'missing' })).status).to.equal(422)
    expect((await one.admin('POST', '/admin/v1/accounts/default/grants', { amount: 5, ref: 'more' })).status).to.equal(200)
    expect(
      (await two.admin('PATCH', '/admin/v1/accounts/default', { overage_limit: 3, concurrency: 30, name: 'Ada Example' })).status,
    ).to.equal(200)
    await site.flush()
    await site.pass(12_000, 3_000)
    await kept('accounts')
    await kept('accounts', ({ caps }) => (caps as Record<string, unknown>)[key.id])
    expect((await one.money()).balance).to.equal(1003)
  })

  it('F-41 a hold with fields of a later version is charged by its own replica, and swept for a dead one', async () => {
    const running = [call(one, key.key, { text: 'wait' }), call(two, key.key, { text: 'wait' })]
    await stage.until(() => stage.waiting === 2)
    for (const hold of Object.keys((await first('accounts')).holds as object)) await renew('accounts', `holds.${hold}.`)
    site.halt(two)
    await site.pass(66_000 + 12_000, 3_000)
    stage.release()
    // The deadline of the call has passed for the one whose clock goes.
    expect((await Promise.all(running)).map(({ status }) => status)).to.deep.equal([504, 503])
    const held = call(one, key.key, { text: 'wait' })
    await stage.until(() => stage.waiting === 1)
    for (const hold of Object.keys((await first('accounts')).holds as object)) await renew('accounts', `holds.${hold}.`)
    stage.release()
    expect((await held).status).to.equal(200)
    expect((await one.money()).held).to.equal(0)
  })

  it('F-41 entries with fields of a later version are published with them, whether they wait with the account or not', async () => {
    await (
      await site.collection('accounts')
    ).updateMany({}, { $set: { 'out.$[].since_next_version': NEWS.since_next_version, 'out.$[].facts.since_next_version': 2 } })
    const waiting = ((await first('accounts')).out as { ref: string; kind: string }[]).map(({ ref }) => ref)
    expect(waiting).to.have.length.above(0)
    expect((await call(two, key.key)).status).to.equal(200)
    await site.flush()
    for (const entry of await site.documents('entries')) if (waiting.includes(String(entry.ref))) expect(entry).to.deep.include(NEWS)
    await renew('entries')
    expect((await call(one, key.key)).status).to.equal(200)
    await site.flush()
    const { calls, total } = (await one.send('/v1/calls', { key: key.key })).json<{ calls: object[]; total: number }>()
    expect([calls.length, total]).to.deep.equal([3, 3])
    for (const each of calls) expect(each).not.to.have.any.keys('since_next_version')
  })

  it('F-41 a key with fields of a later version is found, listed, used, rotated and revoked', async () => {
    await renew('keys')
    expect((await call(two, key.key)).status).to.equal(200)
    const { keys } = (await two.send('/v1/keys', { key: key.key })).json<{ keys: Record<string, unknown>[] }>()
    for (const each of keys) expect(each).not.to.have.any.keys('since_next_version')
    await site.flush()
    await kept('keys')
    const rotated = await one.admin('DELETE', `/admin/v1/accounts/default/keys/${key.id}`)
    expect(rotated.status).to.equal(200)
    expect((await call(two, key.key)).status).to.equal(401)
    await kept('keys')
  })

  it('F-41 leases with fields of a later version are renewed, read and swept', async () => {
    await renew('gateways')
    await site.pass(12_000, 3_000)
    await kept('gateways')
    expect(await one.app.services.store.leases.live(site.now())).to.have.length(2)
    site.halt(two)
    await site.pass(40_000, 3_000)
    expect((await site.gateways()).filter(({ ended }) => ended !== true)).to.have.length(1)
    await kept('gateways')
  })

  it('F-41 settings with fields and names of a later version stay, and change nothing', async () => {
    await renew('settings')
    await (await site.collection('settings')).updateMany({}, { $set: { 'values.next:feature': '{"on":true}' }, $inc: { version: 1 } })
    await site.pass(2_000)
    expect((await one.admin('PUT', '/admin/v1/waterfall/test.echo', { order: ['one'] })).status).to.equal(200)
    await site.pass(2_000)
    expect((await call(two, key.key)).status).to.equal(200)
    await kept('settings')
    expect(((await first('settings')).values as Record<string, unknown>)['next:feature']).to.equal('{"on":true}')
  })

  it('F-41 an idempotency record with fields of a later version is replayed, and taken over', async () => {
    const headers = { 'idempotency-key': 'mixed' }
    const answered = await call(one, key.key, { headers })
    await renew('idempotency')
    await renew('idempotency', 'answer.')
    const replay = await call(two, key.key, { headers })
    expect([replay.text === answered.text, replay.headers['idempotent-replayed']]).to.deep.equal([true, 'true'])
    await kept('idempotency')
    await site.pass(24 * 3_600_000, 6 * 3_600_000)
    expect((await call(two, key.key, { headers })).status).to.equal(200)
  })

  it('F-41 the counts of a day with fields of a later version go on', async () => {
    await site.flush()
    await renew('usage_daily')
    const [row] = Object.keys((await first('usage_daily')).rows as object)
    await renew('usage_daily', `rows.${row}.`)
    expect((await call(two, key.key)).status).to.equal(200)
    await site.flush()
    const { totals } = (await one.send('/v1/calls/stats?days=1', { key: key.key })).json<{ totals: object }>()
    expect(totals).to.deep.equal({ calls: 2, successes: 2, errors: 0, credits: 2 })
    await kept('usage_daily')
    await kept('usage_daily', ({ rows }) => (rows as Record<string, unknown>)[row ?? ''])
  })

  it('F-41 counters of refused calls, artifacts and audit entries of a later version are read as before', async () => {
    await two.send('/v1/test/echo', { body: { text: '' }, key: key.key })
    await two.app.services.artifacts.put('default', Buffer.from('text'), { name: 'a.txt' })
    await site.flush()
    for (const collection of ['refused', 'artifacts', 'audit']) await renew(collection)
    await two.send('/v1/test/echo', { body: { text: '' }, key: key.key })
    await site.flush()
    const { totals } = (await one.send('/v1/calls/stats?days=1', { key: key.key })).json<{ totals: { errors: number } }>()
    expect(totals.errors).to.equal(2)
    await kept('refused')
    expect((await one.admin('GET', '/admin/v1/audit')).status).to.equal(200)
    await site.pass(3_700_000, 3_600_000)
    await site.pass(60_000)
    await eventually(async () => (await site.documents('artifacts')).length === 0, 'the end of the artifact')
  })

  it('F-41 one of this version starts on such a database, with indexes and collections unknown to it', async () => {
    for (const collection of ['accounts', 'entries', 'keys', 'gateways', 'settings']) {
      await site.flush()
      await renew(collection)
      await (await site.collection(collection)).createIndex({ since_next_version: 1 })
    }
    await (await site.collection('next_things')).insertOne({ _id: 'thing' })
    const three = await site.replica({ script, overrides })
    expect((await call(three, key.key)).status).to.equal(200)
    expect(three.firstRun).to.equal(null)
    const check = (await three.admin('GET', '/admin/v1/ledger/check')).json<{ ok: boolean; problems: string[] }>()
    expect(check).to.deep.include({ ok: true, problems: [] })
  })

  it('F-41 what a later version writes into Redis in another form is passed over and left there', async () => {
    await site.redis.admin.hset('capstan:suspensions', 'test.echo/one', '{"until":99999999999999}')
    await site.redis.admin.hset('capstan:suspensions', 'test.echo/newer', 'v2 something else')
    await site.redis.admin.hset(`capstan:{key:${key.id}}:rate`, 'burst', '7')
    await site.pass(2_000, 1_000)
    for (const replica of [one, two]) expect((await call(replica, key.key)).status).to.equal(200)
    expect(await site.redis.admin.hget('capstan:suspensions', 'test.echo/newer')).to.equal('v2 something else')
    expect(await site.redis.admin.hget(`capstan:{key:${key.id}}:rate`, 'burst')).to.equal('7')
  })
})
