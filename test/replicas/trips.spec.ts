import { expect } from 'chai'
import { makeKey } from '../../core/accounts/layout.js'
import type { Reply } from '../support/gateway.js'
import type { WireCommand } from '../support/mongodb-wire.js'
import { call, ECHO, Site, type Replica } from '../support/replicas.js'
import { Stage } from '../support/stage.js'
import { atMost } from '../support/time.js'

const HOLD = 'findAndModify accounts'
const CHARGE = 'findAndModify accounts'
const RELEASE = 'findAndModify accounts'
const CLAIM = 'insert idempotency'
/** The claim of a key that is there: refused, and read. */
const CLAIMED = [CLAIM, 'find idempotency']

/** Clocks do not advance, so that only the call itself is counted: batches wait for their time. */
describe('round trips of a call on replicas', function () {
  this.timeout(60_000)
  const site = new Site()
  const stage = new Stage()
  let one: Replica
  let two: Replica
  let key: string
  before(async function () {
    await site.open(this)
    await site.empty()
    const script = { 'test.echo': [stage.vendor('one')] }
    ;[one, two] = (await site.start(2, { script, mongoProxy: true, redisProxy: true })) as [Replica, Replica]
    key = (await one.newKey()).key
    for (const replica of [one, two]) expect((await call(replica, key)).status).to.equal(200)
  })
  after(async () => {
    stage.release()
    await site.end()
    await site.close()
  })

  interface Trips {
    readonly reply: Reply
    readonly store: string[]
    /** Pieces sent to Redis until the answer was there. */
    readonly redis: number
  }
  const count = async (replica: Replica, work: () => Promise<Reply>): Promise<Trips> => {
    await site.quiet()
    const before = replica.redis().trips
    let reply: Reply | null = null
    const commands = await replica.mongo().watch(async () => void (reply = await work()))
    return { reply: reply ?? expect.fail('no reply'), store: names(commands), redis: replica.redis().trips - before }
  }
  const names = (commands: readonly WireCommand[]): string[] => commands.map(({ name, collection }) => `${name} ${collection}`)
  /** The place among the running calls is given back as well; no answer waits for it. */
  const withReturn = [1, 2]

  it('a success of a known key is two of the store and one of Redis', async () => {
    for (const replica of [one, two, one]) {
      const { reply, store, redis } = await count(replica, () => call(replica, key))
      expect(reply.status).to.equal(200)
      expect(store).to.deep.equal([HOLD, CHARGE])
      expect(redis).to.be.oneOf(withReturn)
    }
  })

  it('Redis is queried once before the work, and nothing after it is waited for', async function () {
    const times: number[] = []
    for (let turn = 0; turn < 3; turn++) {
      await site.quiet()
      const before = one.redis().trips
      const running = call(one, key, { text: 'wait' })
      await stage.until(() => stage.waiting === 1)
      expect(one.redis().trips - before).to.equal(1)
      site.redis.freeze()
      try {
        const released = performance.now()
        stage.release()
        expect((await running).status).to.equal(200)
        times.push(performance.now() - released)
      } finally {
        site.redis.thaw()
      }
    }
    // The client gives a command up after 500 ms; an answer that waited for it could not be faster.
    await atMost(this, { what: 'an answer while Redis hangs', value: Math.min(...times), limit: 450 })
  })

  it('a key that the replica has not seen costs three reads more: whose it is, the account, and only then the key; and one question to Redis', async () => {
    const { key: fresh } = await one.newKey()
    const { reply, store, redis } = await count(two, () => call(two, fresh))
    expect(reply.status).to.equal(200)
    expect(store).to.deep.equal(['find keys', 'find accounts', 'find keys', HOLD, CHARGE])
    expect(redis).to.be.oneOf(withReturn.map((trips) => trips + 1))
  })

  it('a failed provider is two of the store as well, and the release is there before the answer', async () => {
    const { reply, store, redis } = await count(one, () => call(one, key, { text: 'missing' }))
    expect(reply.status).to.equal(422)
    expect(store).to.deep.equal([HOLD, RELEASE])
    expect(redis).to.be.oneOf(withReturn)
    expect((await site.documents('accounts'))[0]).to.deep.include({ held: 0, open: 0 })
  })

  for (const [what, status, trips, send] of [
    ['a key with a wrong checksum', 401, [1], (to) => call(to, `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`)],
    ['a body that does not validate', 422, withReturn, (to) => to.send(ECHO, { body: { text: '' }, key })],
    ['a body that is no JSON', 400, withReturn, (to) => to.send(ECHO, { body: '{"text"', key })],
    [
      'a media type that is none of ours',
      415,
      withReturn,
      (to) => to.send(ECHO, { body: 'text', key, headers: { 'content-type': 'text/plain' } }),
    ],
    ['a path that does not exist', 404, [0, 1], (to) => to.send('/v1/test/nothing', { body: { text: 'x' }, key })],
  ] as [string, number, number[], (to: Replica) => Promise<Reply>][])
    it(`${what} is ${status} without a command to the store`, async () => {
      const { reply, store, redis } = await count(one, () => send(one))
      expect(reply.status).to.equal(status)
      expect(store).to.deep.equal([])
      expect(redis).to.be.oneOf(trips)
    })

  it('429 needs no query once the replica has recorded that the window is used up, and one to Redis before', async () => {
    const limited = (await one.newKey({ rate_limit_per_minute: 2 })).key
    for (let used = 0; used < 2; used++) expect((await call(one, limited)).status).to.equal(200)
    const known = await count(one, () => call(one, limited))
    expect([known.reply.status, known.store, known.redis]).to.deep.equal([429, [], 0])
    await two.send('/v1/account', { key: limited })
    const other = await count(two, () => call(two, limited))
    expect([other.reply.status, other.store, other.redis]).to.deep.equal([429, [], 0])
  })

  it('429 for calls in flight touches no store either', async () => {
    const [small] = await site.start(1, { script: { 'test.echo': [stage.vendor('one')] }, env: { CAPSTAN_LIMIT_KEY_CONCURRENCY: '1' } })
    const replica = await site.replica({
      script: { 'test.echo': [stage.vendor('one')] },
      env: { CAPSTAN_LIMIT_KEY_CONCURRENCY: '1' },
      mongoProxy: true,
      redisProxy: true,
    })
    const busy = (await one.newKey()).key
    expect((await call(replica, busy)).status).to.equal(200)
    const running = call(small ?? replica, busy, { text: 'wait' })
    await stage.until(() => stage.waiting === 1)
    const { reply, store, redis } = await count(replica, () => call(replica, busy))
    expect([reply.status, store, redis]).to.deep.equal([429, [], 1])
    stage.release()
    expect((await running).status).to.equal(200)
  })

  it('an unknown key of the right form is looked up once by all replicas', async () => {
    const stranger = makeKey()
    const first = await count(one, () => call(one, stranger))
    expect([first.reply.status, first.store]).to.deep.equal([401, ['find keys']])
    const again = await count(one, () => call(one, stranger))
    expect([again.reply.status, again.store]).to.deep.equal([401, []])
    const elsewhere = await count(two, () => call(two, stranger))
    expect([elsewhere.reply.status, elsewhere.store]).to.deep.equal([401, []])
    // The queries whether the key is unknown, and for the rest of the address's limit, which a 401 has in its headers.
    expect([first.redis, again.redis, elsewhere.redis]).to.satisfy((trips: number[]) => trips[1] === 1 && trips.every((each) => each <= 3))
  })

  it('with an Idempotency-Key it is four: claim, hold, answer, charge; a replay is three, and one more once its charge is published', async () => {
    const headers = { 'idempotency-key': 'trips' }
    const { reply, store, redis } = await count(one, () => call(one, key, { headers }))
    expect(reply.status).to.equal(200)
    expect(store).to.deep.equal([CLAIM, HOLD, 'update idempotency', CHARGE])
    expect(redis).to.be.oneOf(withReturn)
    for (const [replica, published] of [
      [two, false],
      [one, true],
    ] as const) {
      if (published) await site.flush()
      const replay = await count(replica, () => call(replica, key, { headers }))
      expect(replay.reply.headers['idempotent-replayed']).to.equal('true')
      expect(replay.store).to.deep.equal([...CLAIMED, 'find accounts', ...(published ? ['find entries'] : [])])
      expect(replay.redis).to.be.oneOf(withReturn)
    }
  })

  it('a failed call with an Idempotency-Key is four as well: claim, hold, release, and the key is free; a kept refusal is five', async () => {
    const { reply, store } = await count(one, () => call(one, key, { text: 'quota', headers: { 'idempotency-key': 'trips of a failure' } }))
    expect(reply.status).to.equal(502)
    expect((await one.admin('POST', '/admin/v1/providers/test.echo/one/resume')).status).to.equal(200)
    expect(store).to.deep.equal([CLAIM, HOLD, RELEASE, 'delete idempotency'])
    const kept = await count(one, () => call(one, key, { text: 'missing', headers: { 'idempotency-key': 'trips of a refusal' } }))
    expect(kept.reply.status).to.equal(422)
    expect(kept.store, 'kept, and no charge counts its bytes').to.deep.equal([
      CLAIM,
      HOLD,
      RELEASE,
      'update idempotency',
      'update accounts',
    ])
  })

  it('refused for a key in use, it is its claim and one read', async () => {
    await site.flush()
    const headers = { 'idempotency-key': 'trips in flight' }
    const running = call(one, key, { text: 'wait', headers })
    await stage.until(() => stage.waiting === 1)
    const { reply, store } = await count(two, () => call(two, key, { text: 'wait', headers }))
    expect([reply.status, store]).to.deep.equal([409, CLAIMED])
    stage.release()
    expect((await running).status).to.equal(200)
  })

  it('what a batch of answers costs afterwards does not grow with it', async () => {
    await site.flush()
    const mark = async (calls: number): Promise<string[]> => {
      for (let each = 0; each < calls; each++) expect((await call(one, key)).status).to.equal(200)
      let others: WireCommand[] = []
      const own = await one.mongo().watch(async () => {
        others = [...(await two.mongo().watch(() => site.flush()))]
      })
      return names([...own, ...others])
    }
    // The last use of a key is written every two seconds, and here together with the marks. Another replica may be the one that publishes.
    const few = await mark(1)
    expect(few).to.include.members(['update keys', 'update gateways', 'find accounts'])
    expect(few.filter((name) => name === 'update gateways')).to.have.length(1)
    expect(await mark(12)).to.have.members(few)
  })

  it('a cached key is read again in two, the account and then the key, where no hold confirms that it is still valid', async () => {
    const headers = { 'idempotency-key': 'trips of a key' }
    expect((await call(one, key, { headers })).status).to.equal(200)
    await site.flush()
    await site.pass(1_000)
    const account = await count(one, () => one.send('/v1/account', { key }))
    expect(account.reply.status).to.equal(200)
    expect(account.store.slice(0, 2)).to.deep.equal(['find accounts', 'find keys'])
    expect(account.store.filter((name) => name === 'find keys')).to.have.length(1)
    await site.pass(1_000)
    const replay = await count(one, () => call(one, key, { headers }))
    expect(replay.reply.headers['idempotent-replayed']).to.equal('true')
    expect(replay.store).to.deep.equal([...CLAIMED, 'find accounts', 'find keys', 'find accounts', 'find entries'])
  })
})
