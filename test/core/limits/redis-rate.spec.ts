import { expect } from 'chai'
import { systemClock, type Clock } from '../../../core/runtime/clock.js'
import { MemoryRateLimit, type RateOutcome } from '../../../core/limits/rate.js'
import { RedisRateLimit } from '../../../core/limits/redis-rate.js'
import type { RedisLink } from '../../../core/redis/types.js'
import { HandClock } from '../../support/outbound.js'
import { ScriptedLink, TimedLink, untilShared } from '../../support/redis.js'
import { useRedis } from '../../support/redis-suite.js'

const limitOn = (link: RedisLink, replicas = 1, clock: Clock = systemClock): RedisRateLimit =>
  new RedisRateLimit({ link, clock, local: new MemoryRateLimit(clock), replicas: () => replicas })

const admitted = (outcomes: readonly RateOutcome[]): number => outcomes.filter(({ exceeded }) => !exceeded).length

describe('rate limits shared by replicas', function () {
  const { redis, links } = useRedis(this)

  /** Replicas, each with a connection of its own. */
  const replicas = async (count: number): Promise<RedisRateLimit[]> =>
    await Promise.all(Array.from({ length: count }, async () => limitOn(await links.open(redis.url, new HandClock()), count)))

  it('N-16 eight replicas with many requests at once admit exactly the limit', async () => {
    const all = await replicas(8)
    for (const limit of [1, 60, 250]) {
      const rounds = await Promise.all(
        all.map((replica) => Promise.all(Array.from({ length: 60 }, () => replica.consume(`exact-${limit}`, limit)))),
      )
      const outcomes = rounds.flat()
      expect(admitted(outcomes)).to.equal(limit)
      const left = outcomes.filter(({ exceeded }) => !exceeded).map(({ state }) => state.remaining)
      expect(left.sort((a, b) => b - a)).to.deep.equal(Array.from({ length: limit }, (_, index) => limit - 1 - index))
      expect(new Set(outcomes.map(({ state }) => state.reset)).size, 'one reset').to.equal(1)
    }
  })

  it('Remaining falls by one with each request, whichever replica has it, and Reset stays and lies within the minute', async () => {
    const all = await replicas(8)
    const seen: RateOutcome[] = []
    for (let count = 0; count < 30; count++) {
      const replica = all[count % 8]
      if (replica !== undefined) seen.push(await replica.consume('k', 20))
    }
    expect(seen.map(({ state }) => state.remaining)).to.deep.equal(Array.from({ length: 30 }, (_, index) => Math.max(0, 19 - index)))
    expect(seen.map(({ exceeded }) => exceeded)).to.deep.equal(Array.from({ length: 30 }, (_, index) => index >= 20))
    const [first] = seen
    expect(new Set(seen.map(({ state }) => state.reset)).size).to.equal(1)
    const now = Date.now() / 1000
    expect(first?.state.reset).to.be.within(now, now + 61)
    for (const { exceeded, waitSeconds } of seen) expect(waitSeconds).to.be.within(exceeded ? 1 : 0, exceeded ? 60 : 0)
    expect(await all[0]?.peek('k', 20)).to.deep.equal({ limit: 20, remaining: 0, reset: first?.state.reset })
  })

  it('reading takes no point, and an unused key has all of them', async () => {
    const [one, two] = await replicas(2)
    const fresh = await one?.peek('k', 5)
    expect([fresh?.remaining, fresh?.limit]).to.deep.equal([5, 5])
    const { state } = (await one?.consume('k', 5)) ?? expect.fail()
    for (let count = 0; count < 3; count++) expect(await two?.peek('k', 5)).to.deep.equal(state)
    expect(await redis.admin.pttl('capstan:{k}:rate')).to.be.within(55_000, 60_000)
  })

  it('a window ends at its Reset, not before, and the next request begins another', async () => {
    const [one] = await replicas(1)
    await one?.consume('k', 1)
    const { state } = (await one?.consume('k', 1)) ?? expect.fail()
    await redis.admin.hset('capstan:{k}:rate', 'ends', String(Date.now() - 1))
    const [other] = await replicas(1)
    const next = (await other?.consume('k', 1)) ?? expect.fail()
    expect([next.exceeded, next.state.remaining]).to.deep.equal([false, 0])
    expect(next.state.reset).to.be.at.least(state.reset)
  })

  it('T-75 F-34 a clock of the server that jumped back keeps nobody waiting longer than a minute', async () => {
    const [one] = await replicas(1)
    await redis.admin.hset('capstan:{k}:rate', { used: '9', ends: String(Date.now() + 3_600_000) })
    const { exceeded, state } = (await one?.consume('k', 3)) ?? expect.fail()
    expect([exceeded, state.remaining]).to.deep.equal([false, 2])
    expect(state.reset).to.be.at.most(Date.now() / 1000 + 61)
  })

  it('a used up window is refused without a query to Redis, until it ends', async () => {
    const link = new ScriptedLink()
    const clock = new HandClock()
    const limit = limitOn(link, 1, clock)
    const ends = clock.now() + 30_000
    let used = 1
    link.answer = () => [++used, 30_000, ends, -1, 0]
    expect((await limit.consume('k', 3)).state.remaining).to.equal(1)
    expect((await limit.consume('k', 3)).exceeded).to.equal(false)
    clock.advance(10_000)
    for (let count = 0; count < 5; count++)
      expect(await limit.consume('k', 3)).to.deep.include({
        exceeded: true,
        waitSeconds: 20,
        state: { limit: 3, remaining: 0, reset: Math.ceil(ends / 1000) },
      })
    expect(await limit.peek('k', 3)).to.deep.include({ remaining: 0 })
    expect(link.commands).to.have.length(2)
    clock.advance(20_000)
    await limit.consume('k', 3)
    expect(link.commands, 'queried again once the window is over').to.have.length(3)
  })

  it('N-17 F-12 alone each of eight replicas admits its share, together at most seven too many', async () => {
    const limits = Array.from({ length: 8 }, () => {
      const link = new ScriptedLink()
      link.shared = false
      return limitOn(link, 8)
    })
    for (const limit of [60, 100, 3]) {
      let total = 0
      for (const replica of limits) {
        const outcomes: RateOutcome[] = []
        for (let count = 0; count < limit; count++) outcomes.push(await replica.consume(`k${limit}`, limit))
        total += admitted(outcomes)
        expect(outcomes[0]?.state).to.deep.include({ limit, remaining: Math.ceil(limit / 8) - 1 })
        expect((await replica.peek(`k${limit}`, limit)).remaining).to.equal(0)
      }
      expect(total).to.be.within(limit, limit + 7)
    }
  })

  it('N-17 a replica that appears or goes while Redis is away changes the share within the window', async () => {
    const link = new ScriptedLink()
    link.shared = false
    const state = { replicas: 2 }
    const limit = new RedisRateLimit({ link, clock: systemClock, local: new MemoryRateLimit(systemClock), replicas: () => state.replicas })
    for (let count = 0; count < 5; count++) expect((await limit.consume('k', 10)).exceeded).to.equal(false)
    expect((await limit.consume('k', 10)).exceeded).to.equal(true)
    state.replicas = 1
    expect((await limit.consume('k', 10)).state.remaining, 'what was used counts on').to.equal(3)
    state.replicas = 0
    expect((await limit.consume('k', 10)).state.remaining, 'an unknown count is one').to.equal(2)
  })

  it('F-15 a Redis that loses a used up window gives a key one more window, on a replica without a record of it', async () => {
    const [one, two] = await replicas(2)
    const used = async (replica: RedisRateLimit | undefined): Promise<number> => {
      let count = 0
      while (replica !== undefined && !(await replica.consume('k', 10)).exceeded) count++
      return count
    }
    expect(await used(one)).to.equal(10)
    let more = 0
    for (let round = 0; round < 5; round++) {
      await redis.admin.flushall()
      more += await used(one)
    }
    expect(more, 'this replica has recorded that the window is used up').to.equal(0)
    expect(await used(two)).to.equal(10)
  })

  it('F-15 a Redis that keeps losing its data gets the counts of each replica again', async () => {
    const [one, two] = await replicas(2)
    const admit = async (replica: RedisRateLimit | undefined, id: string): Promise<number> =>
      (await replica?.consume(id, 10))?.exceeded === false ? 1 : 0
    let alone = 0
    for (let count = 0; count < 30; count++) {
      alone += await admit(one, 'alone')
      await redis.admin.flushall()
    }
    expect(alone, 'one replica').to.equal(10)
    let both = 0
    for (let count = 0; count < 30; count++) {
      if (count % 4 === 0) await redis.admin.flushall()
      both += await admit(count % 2 === 0 ? one : two, 'both')
    }
    // At each of three losses the first replica to query had not seen the other's last request.
    expect(both).to.equal(13)
  })

  it('F-15 of two windows that run at once the one that ends first is the true one, and both count', async () => {
    let now = Date.now()
    const timed = async (): Promise<RedisRateLimit> => limitOn(new TimedLink(await links.open(redis.url, new HandClock()), () => now), 2)
    const [one, two] = [await timed(), await timed()]
    const first: RateOutcome[] = []
    for (let count = 0; count < 3; count++) first.push(await one.consume('k', 10))
    await redis.admin.del('capstan:{k}:rate')
    now += 5_000
    for (let count = 0; count < 2; count++) expect((await two.consume('k', 10)).state.remaining).to.equal(9 - count)
    expect((await one.consume('k', 10)).state).to.deep.equal({ ...first[0]?.state, remaining: 4 })
    expect((await two.consume('k', 10)).state).to.deep.equal({ ...first[0]?.state, remaining: 3 })
  })

  it('F-15 a failover to a copy that is behind goes on from the higher count', async () => {
    const [one] = await replicas(1)
    for (let count = 0; count < 4; count++) await one?.consume('k', 10)
    await redis.admin.hset('capstan:{k}:rate', 'used', '1')
    expect((await one?.consume('k', 10))?.state.remaining).to.equal(5)
  })

  it('F-12 F-15 a Redis that goes and comes back costs one window more at most', async () => {
    const proxy = await links.proxy(redis)
    const link = await links.open(proxy.url)
    const limit = limitOn(link)
    let total = 0
    const spend = async (): Promise<void> => {
      for (let count = 0; count < 15; count++) if (!(await limit.consume('k', 20)).exceeded) total++
    }
    for (let round = 0; round < 3; round++) {
      await spend()
      await proxy.down()
      await untilShared(link, false)
      await spend()
      await proxy.up()
      await untilShared(link, true)
    }
    // 20 of Redis's window and 15 of the local one: once the first is known to be used up, being alone opens nothing.
    expect(total).to.equal(35)
  })

  it('addresses and keys are counted apart, and limits that differ share their window', async () => {
    const [one] = await replicas(1)
    await one?.consume('ip:192.0.2.1', 5)
    expect((await one?.consume('key:192.0.2.1', 5))?.state.remaining).to.equal(4)
    expect((await one?.consume('ip:192.0.2.1', 3))?.state.remaining).to.equal(1)
  })
})
