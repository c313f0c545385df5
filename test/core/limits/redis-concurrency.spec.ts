import { expect } from 'chai'
import { systemClock } from '../../../core/runtime/clock.js'
import { KeyConcurrency, type Concurrency, type EntryResult } from '../../../core/limits/concurrency.js'
import { MemoryRateLimit } from '../../../core/limits/rate.js'
import { RedisConcurrency } from '../../../core/limits/redis-concurrency.js'
import { RedisRateLimit } from '../../../core/limits/redis-rate.js'
import type { RedisLink } from '../../../core/redis/types.js'
import { HandClock } from '../../support/outbound.js'
import { ScriptedLink, untilShared } from '../../support/redis.js'
import { useRedis } from '../../support/redis-suite.js'
import { settle } from '../../support/unit.js'
import { until } from '../../support/time.js'

const CALLS = 'capstan:{key:k}:calls'

const leave = (entry: EntryResult | undefined): void => {
  if (entry?.refusal !== null) throw new Error('was not let in')
  entry.leave()
}
const slug = (entry: EntryResult): string | null => entry.refusal?.slug ?? null

describe('calls in flight in one process', () => {
  it('are bounded by key, with the point spent and the state of the limit known either way', async () => {
    const concurrency: Concurrency = new KeyConcurrency(new MemoryRateLimit(systemClock), 2)
    const [one, two, three, other] = [
      await concurrency.enter('k', 4),
      await concurrency.enter('k', 4),
      await concurrency.enter('k', 4),
      await concurrency.enter('other', 4),
    ]
    expect([one, two, three, other].map(slug)).to.deep.equal([null, null, 'too-many-in-flight', null])
    expect(three.refusal?.message).to.contain('limits.key_concurrency')
    expect(three.rate.remaining).to.equal(1)
    leave(one)
    leave(one)
    expect([await concurrency.enter('k', 4), await concurrency.enter('k', 4)].map(slug)).to.deep.equal([null, 'rate-limited'])
  })
})

describe('calls in flight shared by replicas', function () {
  const { redis, links } = useRedis(this)
  const open: RedisConcurrency[] = []
  afterEach(() => {
    for (const concurrency of open.splice(0)) concurrency.close()
  })

  const replicaOn = (link: RedisLink, about: { most?: number; replicas?: number; instance?: string; clock?: HandClock } = {}) => {
    const { most = 5, replicas = 1, instance = `i${open.length}`, clock = systemClock } = about
    const rates = new RedisRateLimit({ link, clock, local: new MemoryRateLimit(clock), replicas: () => replicas })
    const concurrency = new RedisConcurrency({ link, clock, rates, most, replicas: () => replicas, instance })
    open.push(concurrency)
    return concurrency
  }

  it('an admitted call queries Redis once, one that is refused once or not at all', async () => {
    const proxy = await links.proxy(redis)
    const concurrency = replicaOn(await links.open(proxy.url, new HandClock()), { most: 3 })
    leave(await concurrency.enter('warm', 100))
    await until(async () => (await redis.admin.exists('capstan:{key:warm}:calls')) === 0)
    const trips = async (limit: number): Promise<[number, EntryResult]> => {
      const before = proxy.trips
      const entry = await concurrency.enter('k', limit)
      return [proxy.trips - before, entry]
    }
    for (let count = 0; count < 3; count++) {
      const [queries, entry] = await trips(5)
      expect([queries, slug(entry)]).to.deep.equal([1, null])
    }
    const [full, tooMany] = await trips(5)
    expect([full, slug(tooMany)]).to.deep.equal([1, 'too-many-in-flight'])
    const [last, stillFull] = await trips(5)
    expect([last, slug(stillFull), stillFull.rate.remaining]).to.deep.equal([1, 'too-many-in-flight', 0])
    const [none, limited] = await trips(5)
    expect([none, slug(limited)]).to.deep.equal([0, 'rate-limited'])
  })

  it('eight replicas with many calls at once let exactly as many in as the key may have', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, async () => replicaOn(await links.open(redis.url), { most: 20, replicas: 8 })))
    const entries = (
      await Promise.all(all.map((replica) => Promise.all(Array.from({ length: 20 }, () => replica.enter('k', 1_000)))))
    ).flat()
    const inside = entries.filter(({ refusal }) => refusal === null)
    expect(inside).to.have.length(20)
    expect(await redis.admin.zcard(CALLS)).to.equal(20)
    for (const entry of inside) leave(entry)
    await until(async () => (await redis.admin.exists(CALLS)) === 0)
    expect(slug((await all[3]?.enter('k', 1_000)) ?? expect.fail())).to.equal(null)
  })

  it('a request over the limit takes no place', async () => {
    const concurrency = replicaOn(await links.open(redis.url))
    expect(slug(await concurrency.enter('k', 1))).to.equal(null)
    const other = replicaOn(await links.open(redis.url))
    expect(slug(await other.enter('k', 1))).to.equal('rate-limited')
    expect(await redis.admin.zcard(CALLS)).to.equal(1)
  })

  it('a replica that dies loses its places within a lease, one that lives keeps them', async () => {
    const clock = new HandClock()
    const dying = replicaOn(await links.open(redis.url), { most: 2, instance: 'dying' })
    const living = replicaOn(await links.open(redis.url), { most: 2, instance: 'living', clock })
    await dying.enter('k', 1_000)
    await living.enter('k', 1_000)
    expect(slug(await living.enter('k', 1_000))).to.equal('too-many-in-flight')
    // As after kill -9: nothing is given back and nothing renewed.
    dying.close()
    // Redis keeps its own time: both leases are set to a moment ago, and one replica is there to renew its own.
    for (const place of ['dying:1', 'living:1']) {
      expect(Number(await redis.admin.zscore(CALLS, place)) - Date.now()).to.be.within(15_000, 20_000)
      await redis.admin.zadd(CALLS, Date.now() - 1, place)
    }
    clock.advance(5_000)
    await until(async () => Number(await redis.admin.zscore(CALLS, 'living:1')) > Date.now())
    expect(slug(await living.enter('k', 1_000)), "the dead one's").to.equal(null)
    expect(slug(await living.enter('k', 1_000)), 'renewed').to.equal('too-many-in-flight')
  })

  it('F-15 places that Redis lost are there again after a renewal', async () => {
    const clock = new HandClock()
    const concurrency = replicaOn(await links.open(redis.url), { clock })
    const entries = [await concurrency.enter('k', 100), await concurrency.enter('k', 100)]
    await redis.admin.flushall()
    clock.advance(5_000)
    await until(async () => (await redis.admin.zcard(CALLS)) === 2)
    expect(await redis.admin.pttl(CALLS), 'falls with this replica').to.be.within(15_000, 20_000)
    for (const entry of entries) leave(entry)
    await until(async () => (await redis.admin.exists(CALLS)) === 0)
  })

  it('F-12 alone each replica gives out its share, counting the calls it let in before', async () => {
    const link = new ScriptedLink()
    const clock = new HandClock()
    const concurrency = replicaOn(link, { most: 5, replicas: 2, clock })
    let place = 0
    link.answer = () => [1, 60_000, clock.now() + 60_000, 1, ++place]
    const before = [await concurrency.enter('k', 100), await concurrency.enter('k', 100)]
    link.shared = false
    expect(slug(await concurrency.enter('k', 100))).to.equal(null)
    const refused = await concurrency.enter('k', 100)
    expect(slug(refused)).to.equal('too-many-in-flight')
    expect(refused.refusal?.message).to.contain('3 calls running')
    leave(before[0])
    expect(slug(await concurrency.enter('k', 100))).to.equal(null)
  })

  it('F-12 what could not be given back is given back when Redis answers again, and forgotten after a lease', async () => {
    const link = new ScriptedLink()
    const clock = new HandClock()
    const concurrency = replicaOn(link, { clock })
    link.answer = () => [1, 60_000, clock.now() + 60_000, 1, 1]
    const [one, two] = [await concurrency.enter('k', 100), await concurrency.enter('k', 100)]
    const taken = link.commands.map(({ args }) => args[3])
    link.shared = false
    leave(one)
    leave(two)
    await settle()
    link.shared = true
    link.commands.length = 0
    clock.advance(5_000)
    await settle()
    expect(link.commands.map(({ script, args }) => [script, ...args])).to.deep.equal([['ZREM', CALLS, ...taken]])
    clock.advance(5_000)
    await settle()
    expect(link.commands, 'once').to.have.length(1)
    link.shared = false
    leave(await concurrency.enter('k', 100))
    await settle()
    clock.advance(20_000)
    link.shared = true
    clock.advance(5_000)
    await settle()
    expect(link.commands, 'its lease is over').to.have.length(1)
  })

  it('calls that last are renewed every five seconds, in one command for each key, and short ones never', async () => {
    const link = new ScriptedLink()
    const clock = new HandClock()
    const concurrency = replicaOn(link, { clock })
    link.answer = () => [1, 60_000, clock.now() + 60_000, 1, 1]
    const entries = [await concurrency.enter('k', 100), await concurrency.enter('k', 100), await concurrency.enter('other', 100)]
    clock.advance(1_000)
    await concurrency.enter('short', 100)
    link.commands.length = 0
    clock.advance(4_000)
    await settle()
    expect(link.commands.map(({ keys, args }) => [keys[0], args.length])).to.deep.equal([
      [CALLS, 3],
      ['capstan:{key:other}:calls', 2],
    ])
    link.commands.length = 0
    for (const entry of [...entries, ...entries]) leave(entry)
    expect(link.commands.map(({ script }) => script)).to.deep.equal(['ZREM', 'ZREM', 'ZREM'])
    link.commands.length = 0
    clock.advance(5_000)
    await settle()
    expect(link.commands.map(({ keys }) => keys[0])).to.deep.equal(['capstan:{key:short}:calls'])
  })

  it('F-13 a call that was refused while Redis was silent gives back the place that it may have taken', async () => {
    const link = new ScriptedLink()
    const clock = new HandClock()
    const concurrency = replicaOn(link, { most: 1, clock })
    link.answer = () => [1, 60_000, clock.now() + 60_000, 1, 1]
    await concurrency.enter('k', 100)
    // Redis gives the place, and its answer does not come.
    link.answer = () => null
    expect(slug(await concurrency.enter('k', 100))).to.equal('too-many-in-flight')
    const place = link.commands.at(-1)?.args[3]
    link.answer = () => 1
    link.commands.length = 0
    clock.advance(5_000)
    await settle()
    expect(link.commands.filter(({ script }) => script === 'ZREM').map(({ args }) => args)).to.deep.equal([[CALLS, place]])
  })

  it('F-13 a place that was taken by an answer that came too late is given back', async () => {
    const proxy = await links.proxy(redis)
    const link = await links.open(proxy.url)
    const clock = new HandClock()
    const concurrency = replicaOn(link, { most: 1, clock })
    const first = await concurrency.enter('k', 100)
    proxy.delayMs = 80
    // Alone the share is used up by the first call, so this one is refused though Redis has no place for it either.
    expect(slug(await concurrency.enter('k', 100))).to.equal('too-many-in-flight')
    leave(first)
    const second = await concurrency.enter('k', 100)
    expect(slug(second)).to.equal(null)
    leave(second)
    proxy.delayMs = 0
    await untilShared(link, true)
    clock.advance(5_000)
    await until(async () => (await redis.admin.exists(CALLS)) === 0)
  })
})
