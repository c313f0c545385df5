import { expect } from 'chai'
import { RedisTurns } from '../../../core/limits/redis-pace.js'
import { LocalTurns, type Turn, type VendorTurns } from '../../../core/limits/vendor-pace.js'
import type { RedisLink } from '../../../core/redis/types.js'
import type { Pace } from '../../../core/sdk/index.js'
import { HandClock } from '../../support/outbound.js'
import { ScriptedLink, TimedLink, untilShared } from '../../support/redis.js'
import { useRedis } from '../../support/redis-suite.js'
import { until } from '../../support/time.js'

const order = (mostMs = 10_000) => ({ mostMs, leaseMs: 30_000 })
const waitOf = (turn: Turn): number => (turn.taken === 'full' ? NaN : turn.waitMs)
const PACES: readonly Pace[] = [
  { requests: 1, perMs: 1_000 },
  { requests: 3, perMs: 700 },
  { requests: 15, perMs: 60_000 },
]

/** Numbers that look random and are the same in each run. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (state * 48_271) % 2_147_483_647
    yield state / 2_147_483_647
  }
}

/** Most starts that lie in any window of the pace. */
function most(starts: readonly number[], { perMs }: Pace): number {
  const sorted = [...starts].sort((a, b) => a - b)
  return Math.max(...sorted.map((start) => sorted.filter((other) => other >= start && other < start + perMs).length))
}

/** Requests at random times to one of several replicas; when each began. */
async function startsOf(replicas: readonly VendorTurns[], clock: HandClock, pace: Pace, seed: number): Promise<number[]> {
  const random = numbers(seed)
  const starts: number[] = []
  for (let count = 0; count < 60; count++) {
    clock.advance(Math.floor(random.next().value * 1.5 * (pace.perMs / pace.requests)))
    const turn = await replicas[Math.floor(random.next().value * replicas.length)]?.take('acme', pace, order(2 * pace.perMs))
    if (turn?.taken === 'yes') starts.push(clock.monotonic() + turn.waitMs)
  }
  return starts
}

describe('the pace of a vendor in one process', () => {
  it('lets no more requests begin in any stretch of its time, and wastes none', async () => {
    for (const pace of PACES)
      for (let seed = 1; seed <= 10; seed++) {
        const clock = new HandClock()
        const starts = await startsOf([new LocalTurns(clock)], clock, pace, seed)
        expect(starts).to.have.length.above(20)
        expect(most(starts, pace), `seed ${seed}`).to.equal(pace.requests)
      }
  })

  it('begins at once while there is room, keeps vendors apart, and takes no turn that would come too late', async () => {
    const clock = new HandClock()
    const turns = new LocalTurns(clock)
    const pace = { requests: 2, perMs: 1_000 }
    const waits: number[] = []
    for (let count = 0; count < 5; count++) waits.push(waitOf(await turns.take('acme', pace, order())))
    expect(waits).to.deep.equal([0, 0, 1_000, 1_000, 2_000])
    expect(waitOf(await turns.take('other', pace, order()))).to.equal(0)
    for (let count = 0; count < 3; count++)
      expect(await turns.take('acme', pace, order(1_999))).to.deep.equal({ taken: 'late', waitMs: 2_000 })
    clock.advance(3_001)
    expect(waitOf(await turns.take('acme', pace, order(0)))).to.equal(0)
  })

  it('bounds the requests at once, each of which ends once', async () => {
    const turns = new LocalTurns(new HandClock())
    const pace = { requests: 100, perMs: 1_000, concurrent: 2 }
    const first = await turns.take('acme', pace, order())
    await turns.take('acme', pace, order())
    expect((await turns.take('acme', pace, order())).taken).to.equal('full')
    if (first.taken !== 'yes') return expect.fail(first.taken)
    first.leave()
    first.leave()
    expect((await turns.take('acme', pace, order())).taken).to.equal('yes')
    expect((await turns.take('acme', pace, order())).taken).to.equal('full')
  })
})

describe('the pace of a vendor shared by replicas', function () {
  const { redis, links } = useRedis(this)
  const turnsOn = (link: RedisLink, clock: HandClock, replicas: number): RedisTurns =>
    new RedisTurns({ link, clock, local: new LocalTurns(clock), replicas: () => replicas })
  /** Replicas whose server reports the time of the test's clock, an hour ahead so that no key falls by the true one. */
  const replicasOf = async (count: number, clock: HandClock): Promise<RedisTurns[]> => {
    const ahead = Date.now() + 3_600_000
    return await Promise.all(
      Array.from({ length: count }, async () =>
        turnsOn(new TimedLink(await links.open(redis.url, new HandClock()), () => ahead + clock.monotonic()), clock, count),
      ),
    )
  }

  it('is kept over all of them', async () => {
    for (const [index, pace] of PACES.entries()) {
      await redis.admin.flushall()
      const clock = new HandClock()
      const starts = await startsOf(await replicasOf(3, clock), clock, pace, index + 1)
      expect(starts).to.have.length.above(20)
      expect(most(starts, pace)).to.equal(pace.requests)
    }
  })

  it('takes no turn and no place that would come too late', async () => {
    const clock = new HandClock()
    const [one, two] = await replicasOf(2, clock)
    const pace = { requests: 1, perMs: 1_000, concurrent: 5 }
    expect(waitOf((await one?.take('acme', pace, order())) ?? expect.fail())).to.equal(0)
    for (let count = 0; count < 9; count++)
      expect(await two?.take('acme', pace, order(999))).to.deep.equal({ taken: 'late', waitMs: 1_000 })
    expect(waitOf((await two?.take('acme', pace, order())) ?? expect.fail())).to.equal(1_000)
    expect(await redis.admin.zcard('capstan:{pace:acme}:places')).to.equal(2)
  })

  it('bounds the requests at once of all of them; a place that nobody gives back falls', async () => {
    const clock = new HandClock()
    const [one, two] = await replicasOf(2, clock)
    const pace = { requests: 100, perMs: 1_000, concurrent: 2 }
    const first = (await one?.take('acme', pace, order())) ?? expect.fail()
    await two?.take('acme', pace, order())
    expect((await two?.take('acme', pace, order()))?.taken).to.equal('full')
    if (first.taken !== 'yes') return expect.fail(first.taken)
    first.leave()
    await until(async () => (await redis.admin.zcard('capstan:{pace:acme}:places')) <= 1)
    expect((await two?.take('acme', pace, order()))?.taken).to.equal('yes')
    expect((await one?.take('acme', pace, order()))?.taken).to.equal('full')
    clock.advance(30_001)
    expect((await one?.take('acme', pace, order()))?.taken).to.equal('yes')
  })

  it('goes on with its share, from the record of its own requests, while Redis does not answer', async () => {
    const clock = new HandClock()
    const link = new ScriptedLink()
    link.answer = () => [1, 0]
    const turns = turnsOn(link, clock, 3)
    const pace = { requests: 6, perMs: 1_000, concurrent: 3 }
    const first = await turns.take('acme', pace, order())
    if (first.taken === 'yes') first.leave()
    link.shared = false
    const waits: number[] = []
    for (let count = 0; count < 3; count++) {
      const turn = await turns.take('acme', pace, order())
      waits.push(waitOf(turn))
      if (turn.taken === 'yes' && count < 2) turn.leave()
    }
    expect(waits).to.deep.equal([0, 1_000, 1_000])
    expect((await turns.take('acme', pace, order())).taken).to.equal('full')
  })

  it('says so in the state of the link, as the limits do', async () => {
    const proxy = await links.proxy(redis)
    const link = await links.open(proxy.url)
    await untilShared(link, true)
    const turns = turnsOn(link, new HandClock(), 1)
    await proxy.down()
    for (let count = 0; count < 6; count++)
      expect((await turns.take('acme', { requests: 100, perMs: 1_000 }, order())).taken).to.equal('yes')
    await untilShared(link, false)
    expect(links.logs.map(({ message }) => message).join()).to.match(/redis/i)
  })
})
