import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { startGateway, type TestGateway } from '../support/gateway.js'
import { needsMongo, temporaryMongo, type TemporaryMongo } from '../support/mongodb.js'
import { needsProgram } from '../support/needs.js'
import { RedisProxy, startRedis, type TestRedis } from '../support/redis.js'
import { pause, until } from '../support/time.js'

/** What a key may do in a minute. */
const LIMIT = 20
/** How long Redis flaps, in milliseconds; CAPSTAN_TEST_OUTAGE=30 makes it the five minutes of N-18. */
const FLAPPING_MS = Math.max(4_000, 10_000 * Number(process.env.CAPSTAN_TEST_OUTAGE ?? 0))
/** Windows of a minute that can begin meanwhile. */
const WINDOWS = Math.ceil(FLAPPING_MS / 60_000)

/** Faults of a Redis that goes on answering, and how each is mended. */
const FAULTS: readonly (readonly [string, (admin: Redis) => Promise<unknown>, (admin: Redis) => Promise<unknown>])[] = [
  ['F-16 is the read-only replica of a dead server', (admin) => admin.replicaof('127.0.0.1', 1), (admin) => admin.replicaof('NO', 'ONE')],
  ['F-16 is full', (admin) => admin.config('SET', 'maxmemory', '1'), (admin) => admin.config('SET', 'maxmemory', '0')],
]

describe('replicas whose Redis has a fault, seen by their callers', function () {
  this.timeout(30_000)
  let redis: TestRedis
  let proxy: RedisProxy
  let mongo: TemporaryMongo
  let gateways: TestGateway[]
  let key: string
  /** Answers by status. */
  let seen: Map<number, number>
  /** How often a replica found that Redis did not answer in time, which a busy machine is enough for. */
  let away: number

  /** So many requests, by turns to each replica; every tenth is a paid call. */
  const send = async (count: number): Promise<void> => {
    for (let turn = 0; turn < count; turn++) {
      const gateway = gateways[turn % gateways.length]
      const { status } =
        (await (turn % 10 === 9
          ? gateway?.send('/v1/test/echo', { body: { text: 'hello' }, key })
          : gateway?.send('/v1/account', { key }))) ?? {}
      seen.set(status ?? 0, (seen.get(status ?? 0) ?? 0) + 1)
    }
  }
  const sharing = async (shared: boolean): Promise<void> => {
    for (const { app } of gateways)
      await until(async () => {
        const { checks } = await app.services.readiness()
        return (checks.find(({ name }) => name === 'redis')?.detail === 'answers') === shared
      }, 20_000)
  }
  /** No 5xx, nothing but what limits answer, and at most one window more than the limit in each window. */
  const judge = (windows = 1): void => {
    const { 200: admitted = 0, 429: refused = 0, ...others } = Object.fromEntries(seen) as Record<number, number>
    expect(others).to.deep.equal({})
    expect(admitted).to.be.within(LIMIT, 2 * LIMIT * windows)
    expect(refused).to.be.at.least(1)
  }

  before(async function () {
    needsProgram(this, 'redis-server')
    await needsMongo(this)
    redis = await startRedis()
    proxy = await new RedisProxy(redis.port).up()
    mongo = await temporaryMongo()
    const env = { CAPSTAN_STORE: mongo.uri, CAPSTAN_REDIS: proxy.url }
    const overrides = { log: (event: string) => void (away += Number(event === 'redis-away')) }
    const early = await startGateway({ env })
    gateways = [await startGateway({ env, overrides })]
    // A replica counts the others when it starts and then every 5 s: both of these have seen another one.
    await early.close()
    gateways.push(await startGateway({ env, overrides }))
    for (const { app } of gateways) expect((await app.services.readiness()).ready).to.equal(true)
  })
  after(async () => {
    for (const gateway of gateways ?? []) await gateway.close()
    await proxy?.down()
    await redis?.close()
    await mongo?.drop()
  })
  beforeEach(async () => {
    key = (await (gateways[0] as TestGateway).newKey({ rate_limit_per_minute: LIMIT })).key
    seen = new Map()
    await sharing(true)
    away = 0
  })

  for (const [what, spoil, mend] of FAULTS)
    it(`${what}: no 5xx, at most one window more, and shared again afterwards`, async () => {
      await send(LIMIT / 2)
      await spoil(redis.admin)
      try {
        await send(8)
        await sharing(false)
        for (const { app } of gateways) expect((await app.services.readiness()).ready).to.equal(true)
        await send(2 * LIMIT)
      } finally {
        await mend(redis.admin)
      }
      await sharing(true)
      await send(2 * LIMIT)
      judge()
    })

  it('N-18 flaps every 200 ms: no 5xx, at most one window more', async () => {
    let over = false
    const flapping = (async () => {
      for (let up = false; !over; up = !up) {
        await (up ? proxy.up() : proxy.down())
        await pause(200)
      }
    })()
    const end = performance.now() + FLAPPING_MS
    while (performance.now() < end) await send(10)
    over = true
    await flapping
    await proxy.up()
    await sharing(true)
    await send(LIMIT)
    judge(WINDOWS)
  }).timeout(30_000 + 2 * FLAPPING_MS)

  it('F-15 is flushed again and again: no 5xx, at most one window more', async () => {
    for (let round = 0; round < 3 * LIMIT; round++) {
      await redis.admin.flushall()
      if (round % 5 === 0) await redis.admin.script('FLUSH')
      await send(2)
    }
    // A replica that counted alone for a moment admits its share of the limit as well.
    judge(away === 0 ? 1 : 1.5)
  })
})
