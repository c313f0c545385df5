import { expect } from 'chai'
import fc from 'fast-check'
import { REQUEST } from '../../../core/limits/gcra.js'
import type { RateLimit, RateOutcome } from '../../../core/limits/rate.js'
import { RedisSmoothLimit } from '../../../core/limits/redis-smooth.js'
import { MemorySmoothLimit } from '../../../core/limits/smooth.js'
import { HandClock } from '../../support/outbound.js'
import { TimedLink } from '../../support/redis.js'
import { useRedis } from '../../support/redis-suite.js'

/** One limit, behind one or more doors that are used in turn, and its time. */
interface Bench {
  readonly doors: readonly RateLimit[]
  /** Unix milliseconds as Reset is told by. */
  readonly now: () => number
  readonly clock: HandClock
}

/** The suite of smooth limits. `runs` of the property test, because a server takes longer than memory. */
function isSmooth(open: () => Promise<Bench>, runs: number): void {
  let bench: Bench
  let turn = 0
  beforeEach(async () => {
    bench = await open()
  })
  const consume = async (id: string, limit: number): Promise<RateOutcome> => {
    const door = bench.doors[turn++ % bench.doors.length] ?? expect.fail()
    const outcome = await door.consume(id, limit)
    const now = bench.now() / 1000
    expect(outcome.state.reset, 'Reset').to.be.within(now, now + 61)
    expect(outcome.waitSeconds, 'the wait').to.be.within(outcome.exceeded ? 1 : 0, outcome.exceeded ? Math.ceil(60 / limit) : 0)
    return outcome
  }
  const pass = (us: number): void => bench.clock.advance(us / 1000)
  const spend = async (id: string, limit: number): Promise<void> => {
    for (let count = 0; count < limit; count++) expect((await consume(id, limit)).exceeded).to.equal(false)
  }

  it('admit at most limit + t / T in any time t, and refuse nothing that keeps to it, to the microsecond', async () => {
    let round = 0
    const gap = fc.oneof(
      { weight: 4, arbitrary: fc.constant(0) },
      { weight: 3, arbitrary: fc.integer({ min: -2, max: 2 }).map((us) => ({ us })) },
      { weight: 2, arbitrary: fc.nat(10_000_000) },
      { weight: 1, arbitrary: fc.nat(70_000_000) },
    )
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 13 }), fc.array(gap, { minLength: 1, maxLength: 60 }), async (limit, gaps) => {
        const id = `round ${round++}`
        const admitted: number[] = []
        let now = 0
        for (const each of gaps) {
          // Near T, where a microsecond decides.
          const us = typeof each === 'number' ? each : Math.round(REQUEST / limit) + each.us
          pass(us)
          now += us
          const debt = Math.max(0, ...admitted.map((at, index) => (admitted.length - index) * REQUEST - (now - at) * limit))
          const allowed = debt + REQUEST <= limit * REQUEST
          const { exceeded, state } = await consume(id, limit)
          expect(exceeded).to.equal(!allowed)
          expect(state.remaining).to.equal(Math.floor(limit - (debt + (allowed ? REQUEST : 0)) / REQUEST))
          if (!exceeded) admitted.push(now)
        }
        for (const [first, from] of admitted.entries())
          for (const [last, to] of admitted.entries())
            if (last >= first) expect((last - first + 1 - limit) * REQUEST).to.be.at.most((to - from) * limit)
      }),
      { numRuns: runs },
    )
  })

  it('one after another Remaining falls by exactly one, and request limit + 1 is refused', async () => {
    for (const limit of [1, 7, 60, 250]) {
      const seen: RateOutcome[] = []
      for (let count = 0; count <= limit; count++) seen.push(await consume(`falls ${limit}`, limit))
      expect(seen.map(({ state }) => state.remaining)).to.deep.equal([...Array.from({ length: limit }, (_, index) => limit - 1 - index), 0])
      expect(seen.map(({ exceeded }) => exceeded)).to.deep.equal([...Array.from({ length: limit }, () => false), true])
      expect(new Set(seen.map(({ state }) => state.limit))).to.deep.equal(new Set([limit]))
    }
  })

  it('a request each T is never refused, not even with nothing to spare, and one a microsecond early is', async () => {
    for (const limit of [1, 7, 60, 97]) {
      const id = `each T ${limit}`
      await spend(id, limit)
      let now = 0
      for (let count = 1; count <= 40; count++) {
        const due = Math.ceil((count * REQUEST) / limit)
        pass(due - 1 - now)
        expect((await consume(id, limit)).exceeded, `early ${count}`).to.equal(true)
        pass(1)
        now = due
        expect((await consume(id, limit)).exceeded, `on time ${count}`).to.equal(false)
      }
    }
  })

  it('a request after the told wait is admitted, a second earlier it is not, and asking meanwhile costs nothing', async () => {
    for (const limit of [1, 3, 7, 50]) {
      const id = `wait ${limit}`
      await spend(id, limit)
      pass(1_234)
      const { waitSeconds } = await consume(id, limit)
      expect(waitSeconds).to.equal(Math.ceil(60 / limit - 0.001234))
      for (let left = waitSeconds; left > 0; left--) {
        expect(await consume(id, limit)).to.deep.include({ exceeded: true, waitSeconds: left })
        pass(1e6)
      }
      expect((await consume(id, limit)).exceeded).to.equal(false)
    }
  })

  it('Reset is when all of the limit is there again, and now when nothing is used', async () => {
    const [door = expect.fail()] = bench.doors
    const fresh = Math.ceil(bench.now() / 1000)
    expect(await door.peek('k', 4)).to.deep.equal({ limit: 4, remaining: 4, reset: fresh })
    expect((await consume('k', 4)).state.reset).to.equal(fresh + 15)
    await consume('k', 4)
    expect((await consume('k', 4)).state.reset).to.equal(fresh + 45)
    const told = await door.peek('k', 4)
    expect(told).to.deep.equal({ limit: 4, remaining: 1, reset: fresh + 45 })
    expect(await door.peek('k', 4), 'looking takes nothing').to.deep.equal(told)
    await consume('k', 4)
    const refused = await consume('k', 4)
    expect([refused.state.remaining, refused.state.reset, refused.waitSeconds]).to.deep.equal([0, fresh + 60, 15])
    pass(30e6)
    expect(await door.peek('k', 4), 'no request of the meantime moves it').to.deep.equal({ limit: 4, remaining: 2, reset: fresh + 60 })
    pass(30e6)
    expect((await door.peek('k', 4)).remaining).to.equal(4)
    await spend('k', 4)
  })

  it('ids are counted apart, and another limit goes on from the same time', async () => {
    await spend('key:k', 6)
    expect((await consume('ip:k', 6)).state.remaining).to.equal(5)
    expect(await consume('key:k', 3)).to.deep.include({ exceeded: true, waitSeconds: 20 })
    pass(20e6)
    expect((await consume('key:k', 3)).exceeded).to.equal(false)
    expect(await consume('key:k', 60)).to.deep.include({ exceeded: true, waitSeconds: 1 })
  })
}

describe('smooth limits in memory', () => {
  isSmooth(() => {
    const clock = new HandClock()
    return Promise.resolve({ doors: [new MemorySmoothLimit(clock)], now: () => clock.now(), clock })
  }, 300)

  it('the highest limits are exact, and those whose T is no whole number of microseconds', async () => {
    for (const limit of [99_999, 100_000, 999_999]) {
      const clock = new HandClock()
      const rates = new MemorySmoothLimit(clock)
      for (let left = limit - 1; left >= 0; left--) {
        const { exceeded, state } = await rates.consume('k', limit)
        if (exceeded || state.remaining !== left) expect.fail(`${limit}: ${state.remaining} instead of ${left}`)
      }
      expect(await rates.consume('k', limit)).to.deep.include({ exceeded: true, waitSeconds: 1 })
      let more = 0
      for (let ms = 0; ms < 1_000; ms++) {
        clock.advance(1)
        while (!(await rates.consume('k', limit)).exceeded) more++
      }
      expect(more, 'in a second').to.equal(Math.floor(limit / 60))
    }
  }).timeout(10_000)

  it('T-75 F-34 a wall clock that jumps neither locks out nor lets in, and Reset goes by it', async () => {
    const clock = new HandClock()
    const rates = new MemorySmoothLimit(clock)
    for (let count = 0; count < 3; count++) await rates.consume('k', 3)
    for (const jump of [-3_600_000, 7_200_000]) {
      clock.jump(jump)
      expect(await rates.consume('k', 3)).to.deep.equal({
        state: { limit: 3, remaining: 0, reset: Math.ceil(clock.now() / 1000) + 60 },
        exceeded: true,
        waitSeconds: 20,
      })
    }
    clock.advance(20_000)
    expect((await rates.consume('k', 3)).exceeded).to.equal(false)
  })

  it('as many ids are followed as by windows: the one unused for longest is forgotten', async () => {
    const rates = new MemorySmoothLimit(new HandClock())
    await rates.consume('first', 1)
    await rates.consume('second', 1)
    await rates.consume('first', 1)
    for (let count = 2; count < 100_001; count++) await rates.consume(`other ${count}`, 1)
    expect((await rates.peek('first', 1)).remaining).to.equal(0)
    expect((await rates.peek('second', 1)).remaining).to.equal(1)
  })
})

describe('smooth limits in Redis', function () {
  const { redis, links } = useRedis(this)
  isSmooth(async () => {
    const clock = new HandClock()
    const start = Date.now() + 3_600_000
    const now = (): number => start + clock.monotonic()
    const doors = await Promise.all(
      Array.from({ length: 2 }, async () => {
        const link = new TimedLink(await links.open(redis.url, clock), now)
        return new RedisSmoothLimit({ link, clock, local: new MemorySmoothLimit(clock), replicas: () => 2 })
      }),
    )
    return { doors, now, clock }
  }, 100)
})
