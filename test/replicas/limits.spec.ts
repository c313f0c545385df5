import { expect } from 'chai'
import type { Reply } from '../support/gateway.js'
import { call, ECHO, eventually, Site, type Replica } from '../support/replicas.js'
import { Stage } from '../support/stage.js'

const LIMIT = 150
/** Requests on one key; CAPSTAN_TEST_FLOOD=10000 for the long form. */
const COUNT = Number(process.env.CAPSTAN_TEST_FLOOD ?? 1_200)
/** Requests in flight: clients and replicas share one process, and an address may have 1,000 connections to each. */
const AT_ONCE = 1_200

describe('limits over replicas', function () {
  this.timeout(60_000 + COUNT * 10)
  const site = new Site()
  const stage = new Stage()
  const script = { 'test.echo': [stage.vendor('one'), stage.vendor('two')] }
  const env = { CAPSTAN_LIMIT_KEY_CONCURRENCY: '400' }
  let replicas: Replica[]
  before(async function () {
    await site.open(this)
    await site.empty()
    replicas = await site.start(8, { script, env })
  })
  after(async () => {
    stage.release()
    await site.end()
    await site.close()
  })

  const at = (index: number): Replica => replicas[index % replicas.length] ?? expect.fail('no replica')
  const remaining = ({ headers }: Reply): number => Number(headers['x-ratelimit-remaining'])

  /** Most of them do not validate: they count like any other, and cost no money. */
  const flood = async (key: string, requests: number): Promise<Reply[]> => {
    const replies: Reply[] = []
    let sent = 0
    const work = async (): Promise<void> => {
      while (sent < requests) {
        const index = sent++
        replies.push(await at(index).send(ECHO, { body: { text: index % 20 === 0 ? 'hello' : '' }, key }))
      }
    }
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, requests) }, work))
    return replies
  }

  it(`N-16 of ${COUNT} requests at once over eight replicas exactly ${LIMIT} are admitted, and no two get the same remainder`, async () => {
    const { key } = await at(0).newKey({ rate_limit_per_minute: LIMIT })
    const replies = await flood(key, COUNT)
    expect(replies).to.have.length(COUNT)
    const admitted = replies.filter(({ status }) => status !== 429)
    expect(new Set(admitted.map(({ status }) => status))).to.deep.equal(new Set([200, 422]))
    expect(admitted.map(remaining).sort((a, b) => a - b)).to.deep.equal(Array.from({ length: LIMIT }, (_, index) => index))
    for (const { status, headers } of replies.filter((reply) => reply.status === 429)) {
      expect([status, headers['x-ratelimit-remaining'], headers['x-credits-used']]).to.deep.equal([429, '0', '0'])
      expect(Number(headers['retry-after'])).to.be.within(1, 60)
    }
    expect(new Set(replies.map(({ headers }) => headers['x-ratelimit-reset'])).size, 'one window for all').to.equal(1)
  })

  it('F-15 a Redis that lost its memory gets the counts of the replicas, and continues from that of the last replica to query', async () => {
    const { key } = await at(0).newKey({ rate_limit_per_minute: 20 })
    for (const [index, replica] of replicas.entries()) expect(remaining(await replica.send('/v1/account', { key }))).to.equal(19 - index)
    await site.redis.admin.flushall()
    expect(remaining(await at(7).send('/v1/account', { key }))).to.equal(11)
    const admitted = (await flood(key, 80)).filter(({ status }) => status !== 429)
    expect(admitted.map(remaining).sort((a, b) => a - b)).to.deep.equal(Array.from({ length: 11 }, (_, index) => index))
  })

  it('calls in flight are counted over all: with room for six, six run and the others are refused', async () => {
    const few = await Promise.all(Array.from({ length: 4 }, () => site.replica({ script, env: { CAPSTAN_LIMIT_KEY_CONCURRENCY: '6' } })))
    const { key } = await at(0).newKey()
    const replies: Reply[] = []
    const all = Array.from({ length: 24 }, (_, index) =>
      call(few[index % 4] ?? at(0), key, { text: 'wait' }).then((reply) => void replies.push(reply)),
    )
    await eventually(() => replies.length === 18 && stage.waiting === 6, 'six running calls')
    expect(new Set(replies.map(({ status }) => status))).to.deep.equal(new Set([429]))
    expect(replies.every((reply) => reply.json().error?.type.endsWith('/errors/too-many-in-flight'))).to.equal(true)
    stage.release()
    await Promise.all(all)
    expect(replies.filter(({ status }) => status === 200)).to.have.length(6)
    for (const replica of few) expect((await call(replica, key)).status, 'the places are free again').to.equal(200)
  })

  it('open holds of an account are counted over all', async () => {
    const { id, key } = await at(0).newAccount(100)
    expect((await at(3).admin('PATCH', `/admin/v1/accounts/${id}`, { concurrency: 5 })).status).to.equal(200)
    const replies: Reply[] = []
    const all = Array.from({ length: 24 }, (_, index) => call(at(index), key, { text: 'wait' }).then((reply) => void replies.push(reply)))
    await eventually(() => replies.length === 19 && stage.waiting === 5, 'five open holds')
    expect(new Set(replies.map(({ status }) => status))).to.deep.equal(new Set([429]))
    stage.release()
    await Promise.all(all)
    expect(await at(5).money(id)).to.deep.equal({ balance: 95, held: 0, available: 95 })
  })

  it('N-03 T-61 of many calls at once over eight replicas exactly so many are served as there is money for', async () => {
    const { id, key } = await at(0).newAccount(10)
    const replies = await Promise.all(Array.from({ length: 120 }, (_, index) => call(at(index), key)))
    expect(replies.filter(({ status }) => status === 200)).to.have.length(10)
    expect(replies.filter(({ status }) => status === 402)).to.have.length(110)
    expect(await at(1).money(id)).to.deep.equal({ balance: 0, held: 0, available: 0 })
  })

  it('a spending cap of a key is one over all', async () => {
    const { key } = await at(0).newKey({ credit_limit: 20, credit_limit_per_day: 7 })
    const replies = await Promise.all(Array.from({ length: 40 }, (_, index) => call(at(index), key)))
    expect(replies.filter(({ status }) => status === 200)).to.have.length(7)
    expect(replies.filter(({ status }) => status === 403)).to.have.length(33)
  })

  it('a provider that one replica finds out to be out of order is passed over by the others a second later', async () => {
    const { key } = await at(0).newKey()
    const used = async (replica: Replica): Promise<string | null> => (await call(replica, key)).json().metadata.provider_used
    expect(await used(at(1))).to.equal('one')
    expect((await call(at(0), key, { text: 'quota' })).status).to.equal(502)
    // The first is called first, and both have failed: only the first is resumed by hand.
    expect((await at(0).admin('POST', '/admin/v1/providers/test.echo/two/resume')).status).to.equal(200)
    await site.pass(1_000)
    for (const replica of replicas) expect(await used(replica)).to.equal('two')
    expect((await at(6).admin('POST', '/admin/v1/providers/test.echo/one/resume')).status).to.equal(200)
    await site.pass(1_000)
    for (const replica of replicas) expect(await used(replica)).to.equal('one')
  })

  it('an operator takes a provider out on one replica, and no other brings it back', async () => {
    const { key } = await at(0).newKey()
    const used = async (replica: Replica): Promise<string | null> => (await call(replica, key)).json().metadata.provider_used
    // Settings are checked every two seconds, which takes the time of the store.
    const allUse = async (vendor: string): Promise<void> => {
      await site.pass(2_000)
      await eventually(async () => (await Promise.all(replicas.map(used))).every((name) => name === vendor), `${vendor} on all replicas`)
    }
    expect((await at(2).admin('POST', '/admin/v1/providers/test.echo/one/suspend', { reason: 'maintenance' })).status).to.equal(200)
    await allUse('two')
    await site.pass(3_600_000)
    for (const replica of replicas) expect(await used(replica)).to.equal('two')
    expect((await at(7).admin('POST', '/admin/v1/providers/test.echo/one/resume')).status).to.equal(200)
    await allUse('one')
  })
})
