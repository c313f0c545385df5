import { expect } from 'chai'
import { systemClock } from '../../../core/clock.js'
import { RedisConcurrency } from '../../../core/limits/redis-concurrency.js'
import { RedisRateLimit } from '../../../core/limits/redis-rate.js'
import { RedisSmoothLimit } from '../../../core/limits/redis-smooth.js'
import { MemoryRateLimit, type RateOutcome } from '../../../core/limits/rate.js'
import { MemorySmoothLimit } from '../../../core/limits/smooth.js'
import type { RedisLink } from '../../../core/redis/port.js'
import { HandClock } from '../../support/outbound.js'
import { ScriptedLink, TimedLink } from '../../support/redis.js'
import { useRedis } from '../../support/redis-suite.js'

const admitted = (outcomes: readonly RateOutcome[]): number => outcomes.filter(({ exceeded }) => !exceeded).length
const KEY = 'capstan:{k}:smooth'

describe('smooth limits shared by replicas', function () {
  const { redis, links } = useRedis(this)
  let clock: HandClock
  /** The server's time, ahead of the machine's, so that no key falls while a test takes its time. */
  const server = { ms: 0 }
  const now = (): number => server.ms + clock.monotonic()
  beforeEach(() => {
    clock = new HandClock()
    server.ms = Date.now() + 86_400_000
  })

  const limitOn = (link: RedisLink, replicas = 1): RedisSmoothLimit =>
    new RedisSmoothLimit({ link, clock, local: new MemorySmoothLimit(clock), replicas: () => replicas })
  /** Replicas, each with a connection of its own. */
  const replicas = async (count: number): Promise<RedisSmoothLimit[]> =>
    await Promise.all(Array.from({ length: count }, async () => limitOn(new TimedLink(await links.open(redis.url, clock), now), count)))
  const spend = async (limit: RedisSmoothLimit | undefined, points: number, times = points + 1): Promise<number> => {
    const outcomes: RateOutcome[] = []
    for (let count = 0; count < times; count++) outcomes.push((await limit?.consume('k', points)) ?? expect.fail())
    return admitted(outcomes)
  }

  it('N-16 eight replicas with many requests at once admit exactly the limit, and no two are told the same remainder', async () => {
    const all = await replicas(8)
    for (const limit of [1, 7, 60, 250]) {
      const rounds = await Promise.all(
        all.map((replica) => Promise.all(Array.from({ length: 60 }, () => replica.consume(`exact-${limit}`, limit)))),
      )
      const outcomes = rounds.flat()
      expect(admitted(outcomes)).to.equal(limit)
      const left = outcomes.filter(({ exceeded }) => !exceeded).map(({ state }) => state.remaining)
      expect(left.sort((a, b) => b - a)).to.deep.equal(Array.from({ length: limit }, (_, index) => limit - 1 - index))
      clock.advance(Math.ceil(60_000 / limit))
      const next = await Promise.all(all.map((replica) => replica.consume(`exact-${limit}`, limit)))
      expect(admitted(next), 'one more after T').to.equal(1)
    }
  })

  it('N-16 by the clock of a real server the admitted are the limit and what the time that passed gave back', async () => {
    const all = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const parts = { clock: systemClock, local: new MemorySmoothLimit(systemClock), replicas: () => 4 }
        return new RedisSmoothLimit({ link: await links.open(redis.url, clock), ...parts })
      }),
    )
    const started = performance.now()
    const rounds = await Promise.all(all.map((replica) => Promise.all(Array.from({ length: 300 }, () => replica.consume('k', 600)))))
    const most = 600 + Math.ceil((performance.now() - started) / 100)
    expect(admitted(rounds.flat())).to.be.within(600, most)
    const [{ state } = expect.fail()] = rounds.flat()
    expect(state.reset).to.be.within(Math.floor(Date.now() / 1000) - 5, Date.now() / 1000 + 61)
    expect(await redis.admin.pttl(KEY)).to.be.within(50_000, 60_001)
  })

  it('a request takes one trip, and one that is known to come too early takes none, until T has passed', async () => {
    const proxy = await links.proxy(redis)
    const limit = limitOn(new TimedLink(await links.open(proxy.url, clock), now))
    await limit.consume('warm', 1)
    const trips = async (): Promise<[number, boolean]> => {
      const before = proxy.trips
      const { exceeded } = await limit.consume('k', 3)
      return [proxy.trips - before, exceeded]
    }
    for (let count = 0; count < 3; count++) expect(await trips()).to.deep.equal([1, false])
    for (let count = 0; count < 3; count++) expect(await trips()).to.deep.equal([0, true])
    expect((await limit.peek('k', 3)).remaining).to.equal(0)
    clock.advance(19_999)
    expect(await trips()).to.deep.equal([0, true])
    clock.advance(1)
    expect(await trips()).to.deep.equal([1, false])
    expect(await trips()).to.deep.equal([0, true])
  })

  it('a wait told without asking is by the latest the server may think, a refusal by the earliest', async () => {
    const link = new ScriptedLink()
    const limit = limitOn(link)
    link.answer = () => {
      // On the way there and back 40 ms pass: the server may have answered at any moment of them.
      clock.advance(40)
      return [1, 60_000_000 * 3, 1_800_000_000_000_000, -1, 0]
    }
    await limit.consume('k', 3)
    expect(await limit.consume('k', 3)).to.deep.include({
      state: { limit: 3, remaining: 0, reset: 1_800_000_060 },
      exceeded: true,
      waitSeconds: 20,
    })
    clock.advance(18_980)
    expect(await limit.consume('k', 3)).to.deep.include({ exceeded: true, waitSeconds: 2 })
    clock.advance(979)
    expect(await limit.consume('k', 3)).to.deep.include({ exceeded: true, waitSeconds: 1 })
    expect(link.asked).to.have.length(1)
    clock.advance(1)
    await limit.consume('k', 3)
    expect(link.asked, 'asked as soon as it may be admitted').to.have.length(2)
  })

  it('of replies that come in another order than the server gave them the latest counts', async () => {
    const link = new ScriptedLink()
    const limit = limitOn(link)
    const replies: ((reply: unknown) => void)[] = []
    link.answer = () => new Promise((resolve) => replies.push(resolve))
    const asked = [limit.consume('k', 2), limit.consume('k', 2)]
    const [first = expect.fail(), second = expect.fail()] = replies
    second([1, 120_000_000, 1_800_000_000_000_000, -1, 0])
    expect((await asked[1])?.state.remaining).to.equal(0)
    first([1, 60_000_000, 1_800_000_000_000_000, -1, 0])
    expect((await asked[0])?.state.remaining).to.equal(1)
    expect(await limit.consume('k', 2)).to.deep.include({ exceeded: true, waitSeconds: 30 })
    expect(link.asked).to.have.length(2)
  })

  it('the point and the place are taken in one trip, a refused request takes no place, and a full key spends the point', async () => {
    const proxy = await links.proxy(redis)
    const link = new TimedLink(await links.open(proxy.url, clock), now)
    const concurrency = new RedisConcurrency({ link, clock, rates: limitOn(link), most: 2, replicas: () => 1, instance: 'i' })
    await concurrency.enter('warm', 10)
    const enter = async (): Promise<[number, string | null, number]> => {
      const before = proxy.trips
      const { refusal, rate } = await concurrency.enter('k', 4)
      return [proxy.trips - before, refusal?.slug ?? null, rate.remaining]
    }
    const calls = (): Promise<number> => redis.admin.zcard('capstan:{key:k}:calls')
    expect([await enter(), await enter(), await enter()]).to.deep.equal([
      [1, null, 3],
      [1, null, 2],
      [1, 'too-many-in-flight', 1],
    ])
    expect(await calls()).to.equal(2)
    await redis.admin.del('capstan:{key:k}:calls')
    expect([await enter(), await enter()]).to.deep.equal([
      [1, null, 0],
      [0, 'rate-limited', 0],
    ])
    const other = new RedisConcurrency({ link, clock, rates: limitOn(link), most: 2, replicas: () => 1, instance: 'other' })
    expect((await other.enter('k', 4)).refusal?.slug).to.equal('rate-limited')
    expect(await calls()).to.equal(1)
    concurrency.close()
    other.close()
  })

  it('N-17 F-12 alone each of eight replicas admits its share, together at most seven too many', async () => {
    const away = Array.from({ length: 8 }, () => {
      const link = new ScriptedLink()
      link.shared = false
      return limitOn(link, 8)
    })
    for (const limit of [60, 100, 3]) {
      let total = 0
      for (const replica of away) {
        const outcomes: RateOutcome[] = []
        for (let count = 0; count < limit; count++) outcomes.push(await replica.consume(`k${limit}`, limit))
        total += admitted(outcomes)
        expect(outcomes[0]?.state).to.deep.include({ limit, remaining: Math.ceil(limit / 8) - 1 })
        expect(await replica.peek(`k${limit}`, limit)).to.deep.include({ limit, remaining: 0 })
      }
      expect(total).to.be.within(limit, limit + 7)
    }
  })

  it('F-15 a Redis that forgets all the time is reminded by each replica of what it knows', async () => {
    const [one, two] = await replicas(2)
    let alone = 0
    for (let count = 0; count < 30; count++) {
      alone += await spend(one, 10, 1)
      await redis.admin.flushall()
    }
    expect(alone, 'one replica').to.equal(10)
    expect(await spend(two, 10), 'one that had not heard of it').to.equal(10)
    clock.advance(60_000)
    let both = 0
    for (let count = 0; count < 30; count++) {
      if (count % 4 === 0) await redis.admin.flushall()
      both += await spend(count % 2 === 0 ? one : two, 10, 1)
    }
    // At each of three losses the one that asks first had not heard of the other's last request.
    expect(both).to.equal(13)
    await redis.admin.flushall()
    expect((await one?.peek('k', 10))?.remaining, 'a look reminds, too').to.equal(0)
  })

  it('F-12 F-15 a Redis that goes and comes back costs one limit more at most', async () => {
    const real = new TimedLink(await links.open(redis.url, clock), now)
    const link = new ScriptedLink()
    link.answer = (asked, args) =>
      typeof asked === 'string' ? real.call(asked, ...args) : real.run(asked, link.asked.at(-1)?.keys ?? [], args)
    const limit = limitOn(link)
    const rounds: number[] = []
    for (let round = 0; round < 6; round++) {
      link.shared = round % 2 === 0
      rounds.push(await spend(limit, 20, 15))
    }
    // Once the limit is known to be used up, being alone opens nothing.
    expect(rounds).to.deep.equal([15, 15, 5, 0, 0, 0])
  })

  it('F-15 a failover to a copy that is behind goes on from the later time', async () => {
    const [one] = await replicas(1)
    await spend(one, 10, 1)
    const copy = await redis.admin.hgetall(KEY)
    await spend(one, 10, 3)
    await redis.admin.hset(KEY, copy)
    expect((await one?.consume('k', 10))?.state.remaining).to.equal(5)
  })

  it('T-75 F-34 a clock of the server that jumps back by more than T gives the limit anew, and what was known of the old time is forgotten', async () => {
    const [one, two] = await replicas(2)
    expect(await spend(one, 6)).to.equal(6)
    server.ms -= 3_600_000
    const fresh = (await two?.consume('k', 6)) ?? expect.fail()
    expect([fresh.exceeded, fresh.state.remaining]).to.deep.equal([false, 5])
    expect(fresh.state.reset).to.be.within(now() / 1000, now() / 1000 + 61)
    expect(await one?.consume('k', 6), 'not known here yet').to.deep.include({ exceeded: true, waitSeconds: 10 })
    clock.advance(10_000)
    expect(await spend(one, 6)).to.equal(6)
    await redis.admin.flushall()
    expect(await spend(one, 6)).to.equal(0)
  })

  it('T-75 F-34 one that jumps back by less lets nobody in, and nobody wait for more than a minute', async () => {
    for (const [limit, jump] of [
      [1, 60_000],
      [6, 9_999],
    ] as const) {
      const [one] = await replicas(1)
      await redis.admin.flushall()
      expect(await spend(one, limit)).to.equal(limit)
      server.ms -= jump
      const [other] = await replicas(1)
      const { exceeded, state, waitSeconds } = (await other?.consume('k', limit)) ?? expect.fail()
      expect([exceeded, waitSeconds]).to.deep.equal([true, 60 / limit])
      expect(state.reset).to.be.within(now() / 1000, now() / 1000 + 61)
    }
  })

  it('T-75 the clocks of the replicas do not matter', async () => {
    const all = await Promise.all(
      [-3_600_000, 0, 3_600_000].map(async (apart) => {
        const own = new HandClock()
        own.advance(3_600_000 + apart)
        const link = new TimedLink(await links.open(redis.url, clock), now)
        return new RedisSmoothLimit({ link, clock: own, local: new MemorySmoothLimit(own), replicas: () => 3 })
      }),
    )
    const seen: RateOutcome[] = []
    for (let count = 0; count < 6; count++) seen.push((await all[count % 3]?.consume('k', 5)) ?? expect.fail())
    expect(seen.map(({ state }) => state.remaining)).to.deep.equal([4, 3, 2, 1, 0, 0])
    const start = Math.ceil(now() / 1000)
    expect(seen.map(({ state }) => state.reset - start)).to.deep.equal([12, 24, 36, 48, 60, 60])
    expect(seen[5]).to.deep.include({ exceeded: true, waitSeconds: 12 })
  })

  it('a change of the setting misreads nothing: windows and smooth limits have names of their own, that fall by themselves', async () => {
    const [smooth] = await replicas(1)
    const link = new TimedLink(await links.open(redis.url, clock), now)
    const windows = new RedisRateLimit({ link, clock, local: new MemoryRateLimit(clock), replicas: () => 1 })
    expect((await windows.consume('k', 5)).state.remaining).to.equal(4)
    expect((await smooth?.consume('k', 5))?.state.remaining).to.equal(4)
    expect((await windows.consume('k', 5)).state.remaining).to.equal(3)
    expect((await redis.admin.keys('*')).filter((name) => name.includes('{k}')).sort()).to.deep.equal(['capstan:{k}:rate', KEY])
    expect(await redis.admin.pexpiretime(KEY)).to.be.within(now() + 12_000, now() + 12_002)
  })

  it('F-16 an answer that is not one of the script counts as none', async () => {
    const link = new ScriptedLink()
    for (const answer of [[1, 2, 3], 'OK', [1, 0.5, 3, -1, 0], null]) {
      link.answer = () => answer
      expect((await limitOn(link, 2).consume('k', 10)).state).to.deep.include({ limit: 10, remaining: 4 })
      expect((await limitOn(link, 2).peek('k', 10)).remaining).to.equal(5)
    }
  })
})
