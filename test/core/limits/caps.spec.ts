import { expect } from 'chai'
import fc from 'fast-check'
import { MemoryCaps, type CapCounts, type CapReturn } from '../../../core/limits/caps.js'
import { RedisCaps } from '../../../core/limits/redis-caps.js'
import type { RedisLink } from '../../../core/redis/types.js'
import { HandClock } from '../../support/outbound.js'
import { TimedLink, untilShared } from '../../support/redis.js'
import { eventually } from '../../support/replicas.js'
import { useRedis } from '../../support/redis-suite.js'

const DAY_MS = 86_400_000
const order = { id: 'count', most: 3, windowMs: DAY_MS, amount: 1 }

/** Uses the test's time where a script reads the server's. */
function timed(link: RedisLink, now: () => number): RedisLink {
  const by = new TimedLink(link, now)
  return {
    run: (script, keys, args) => (script.lua.includes("'TIME'") ? by : link).run(script, keys, args),
    call: (name, ...args) => link.call(name, ...args),
    state: () => link.state(),
    onChange: (listener) => link.onChange(listener),
    close: () => link.close(),
  }
}

/** Any takes and returns by several replicas, with time passing between them: the amount used in a window never exceeds its cap. */
async function neverMore(make: () => Promise<{ replicas: CapCounts[]; pass: (ms: number) => void }>, numRuns: number): Promise<void> {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ replica: fc.nat(2), amount: fc.integer({ min: 1, max: 3 }) }) },
    { weight: 2, arbitrary: fc.record({ back: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.record({ ms: fc.integer({ min: 1, max: DAY_MS }) }) },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { maxLength: 6 }), { maxLength: 8 }), fc.integer({ min: 0, max: 6 }), async (rounds, most) => {
      const { replicas, pass } = await make()
      const counted: CapReturn[] = []
      for (const round of rounds) {
        const passing = round.reduce((sum, each) => sum + ('ms' in each ? each.ms : 0), 0)
        await Promise.all(
          round.map(async (each) => {
            if ('replica' in each) {
              const counts = replicas[each.replica % replicas.length]
              const outcome = await counts?.take({ ...order, most, amount: each.amount })
              if (outcome?.taken === true) counted.push({ ...order, amount: each.amount, window: outcome.window })
            } else if ('back' in each && counted.length > 0) {
              const [taken] = counted.splice(each.back % counted.length, 1)
              // By any replica: the count is everybody's.
              if (taken !== undefined) await replicas[each.back % replicas.length]?.giveBack(taken)
            }
          }),
        )
        const windows = new Map<number, number>()
        for (const { window, amount } of counted) windows.set(window, (windows.get(window) ?? 0) + amount)
        for (const used of windows.values()) expect(used).to.be.at.most(most)
        pass(passing)
      }
      const now = await Promise.all(replicas.map((counts) => counts.take({ ...order, most, amount: 0 })))
      const expected = counted.filter(({ window }) => window === now[0]?.window).reduce((sum, { amount }) => sum + amount, 0)
      for (const { left } of now) expect(left).to.equal(most - expected)
    }),
    { numRuns },
  )
}

describe('a cap in memory', () => {
  it('gives out so many a day of UTC, and what is given back again', async () => {
    const clock = new HandClock()
    const caps = new MemoryCaps(clock)
    clock.advance(DAY_MS - 1_000)
    for (const left of [2, 1, 0]) expect(await caps.take(order)).to.include({ taken: true, left, leftMs: 1_000 })
    const refused = await caps.take(order)
    expect(refused).to.include({ taken: false, left: 0, endsAt: Date.UTC(2026, 0, 2) })
    await caps.giveBack({ ...order, window: refused.window })
    expect(await caps.take({ ...order, amount: 2 })).to.include({ taken: false, left: 1 })
    expect(await caps.take(order)).to.include({ taken: true, left: 0 })
    clock.advance(1_000)
    expect(await caps.take({ ...order, amount: 0 })).to.include({ taken: false, left: 3, leftMs: DAY_MS })
    await caps.giveBack({ ...order, window: refused.window })
    expect(await caps.take({ ...order, amount: 3 })).to.include({ taken: true, left: 0 })
  })

  it('is not begun anew by a clock that is set back', async () => {
    const clock = new HandClock()
    const caps = new MemoryCaps(clock)
    await caps.take({ ...order, amount: 3 })
    clock.jump(-DAY_MS)
    expect(await caps.take(order)).to.include({ taken: false, left: 0 })
  })

  it('is never exceeded, whatever is taken and given back', async () => {
    await neverMore(() => {
      const clock = new HandClock()
      return Promise.resolve({ replicas: [new MemoryCaps(clock)], pass: (ms) => clock.advance(ms) })
    }, 200)
  })
})

describe('a cap that replicas share', function () {
  const { redis, links } = useRedis(this)
  let clock: HandClock
  beforeEach(() => {
    clock = new HandClock()
    clock.jump(Date.now() + DAY_MS - clock.now())
  })
  const replica = async ({ url = redis.url, count = 2 } = {}) => {
    const link = await links.open(url)
    return new RedisCaps({ link: timed(link, () => clock.now()), clock, replicas: () => count })
  }

  it('is one count, and says to each what is left and until when', async () => {
    const [one, two] = [await replica(), await replica()]
    expect(await one.take({ ...order, amount: 2 })).to.include({ taken: true, left: 1 })
    expect(await two.take({ ...order, amount: 2 })).to.include({ taken: false, left: 1 })
    const last = await two.take(order)
    const next = Math.ceil(clock.now() / DAY_MS) * DAY_MS
    expect(last).to.include({ taken: true, left: 0, endsAt: next, leftMs: next - clock.now() })
    expect(await one.take(order)).to.include({ taken: false, left: 0 })
    await one.giveBack({ ...order, amount: 2, window: last.window })
    expect(await two.take({ ...order, amount: 0 })).to.include({ left: 2 })
    expect(await redis.admin.pttl('capstan:cap:count')).to.be.within(1, 2 * DAY_MS)
  })

  it('is never exceeded, whatever is taken and given back by whom', async function () {
    this.timeout(60_000)
    const opened = await Promise.all([links.open(redis.url, new HandClock()), links.open(redis.url, new HandClock())])
    await neverMore(async () => {
      await redis.admin.flushall()
      return {
        replicas: opened.map((link) => new RedisCaps({ link: timed(link, () => clock.now()), clock, replicas: () => 2 })),
        pass: (ms) => clock.advance(ms),
      }
    }, 60)
  })

  it('is given out by shares while Redis is away, never more than it has recorded as left, and reported when Redis is back', async () => {
    const proxy = await links.proxy(redis)
    const links2 = [await links.open(proxy.url), await links.open(proxy.url)]
    const [one, two] = links2.map((link) => new RedisCaps({ link: timed(link, () => clock.now()), clock, replicas: () => 2 }))
    const big = { ...order, most: 10 }
    await one?.take({ ...big, amount: 4 })
    await two?.take({ ...big, amount: 3 })
    await proxy.down()
    await Promise.all(links2.map((link) => untilShared(link, false)))
    // A share is 5: the first has given out 4 of them, the second 3; and 7 of 10 are known to be gone.
    expect(await one?.take(big)).to.include({ taken: true, left: 0 })
    expect(await one?.take(big)).to.include({ taken: false, left: 0 })
    expect(await two?.take({ ...big, amount: 2 })).to.include({ taken: true, left: 0 })
    expect(await two?.take(big)).to.include({ taken: false })
    await proxy.up()
    await Promise.all(links2.map((link) => untilShared(link, true)))
    await eventually(async () => (await redis.admin.hget('capstan:cap:count', 'used')) === '10', 'the whole count')
    expect(await one?.take(big)).to.include({ taken: false, left: 0 })
  })

  it('that is known to be nearly used up is not given out by shares', async () => {
    const proxy = await links.proxy(redis)
    const link = await links.open(proxy.url)
    const two = new RedisCaps({ link: timed(link, () => clock.now()), clock, replicas: () => 2 })
    const big = { ...order, most: 10 }
    await (await replica()).take({ ...big, amount: 9 })
    expect(await two.take({ ...big, amount: 0 })).to.include({ left: 1 })
    await proxy.down()
    await untilShared(link, false)
    expect(await two.take({ ...big, amount: 2 })).to.include({ taken: false, left: 1 })
    expect(await two.take(big)).to.include({ taken: true, left: 0 })
    expect(await two.take(big)).to.include({ taken: false })
  })

  it('continues from the counts of the replicas when Redis has lost its data', async () => {
    const [one, two] = [await replica(), await replica()]
    await one.take({ ...order, amount: 2 })
    expect(await two.take({ ...order, amount: 0 })).to.include({ left: 1 })
    await redis.admin.flushall()
    clock.advance(1)
    expect(await two.take(order)).to.include({ taken: true, left: 0 })
    expect(await one.take(order)).to.include({ taken: false, left: 0 })
  })

  it('is refused rather than given out twice by what else lies under its name', async () => {
    const one = await replica({ count: 1 })
    await redis.admin.set('capstan:cap:count', 'something else')
    expect(await one.take({ ...order, amount: 3 })).to.include({ taken: true, left: 0 })
    expect(await one.take(order)).to.include({ taken: false })
  })
})
