import { expect } from 'chai'
import { type CacheOrder, EntryCache, MemoryEntries } from '../../../../core/dispatch/cached/cache.js'
import { textOf } from '../../../../core/dispatch/cached/entry.js'
import { LEASE_MS, RedisEntries } from '../../../../core/dispatch/cached/redis.js'
import { Cancel } from '../../../../core/runtime/cancel.js'
import { HandClock } from '../../../support/outbound.js'
import { ScriptedLink, untilShared } from '../../../support/redis.js'
import { useRedis } from '../../../support/redis-suite.js'
import { eventually } from '../../../support/replicas.js'
import { errorOf, settle } from '../../../support/unit.js'

const VALUE = 'capstan:cache:{id}'
const LEASE = `${VALUE}:lease`

describe('a cache that replicas share', function () {
  const { redis, links } = useRedis(this)
  let clock: HandClock
  beforeEach(() => {
    clock = new HandClock()
  })

  /** A replica and the loads that it begins, which end when the test says so. */
  class Replica {
    readonly loads: { readonly cancel: Cancel; readonly end: (text: string) => void; readonly fail: (error: Error) => void }[] = []
    readonly behind: Promise<unknown>[] = []
    readonly #cache: EntryCache

    constructor(shared: RedisEntries | null) {
      const memory = new MemoryEntries(clock, 1024 * 1024)
      this.#cache = new EntryCache({ clock, memory, shared, background: (_, work) => void this.behind.push(work) })
    }

    get(more: Partial<CacheOrder> = {}): Promise<string> {
      return this.#cache.get({
        id: 'id',
        freshMs: 60_000,
        staleMs: 0,
        missingMs: 0,
        fits: (text) => text.startsWith('v'),
        load: (cancel) => new Promise((resolve, reject) => this.loads.push({ cancel, end: (text) => resolve(`v${text}`), fail: reject })),
        cancel: new Cancel(clock, clock.monotonic() + 100_000),
        ...more,
      })
    }

    /** Until it has begun so many loads in all. */
    async loading(count: number): Promise<void> {
      await eventually(() => this.loads.length === count, `load ${String(count)}`)
    }
  }
  const replica = async (url = redis.url): Promise<Replica> => new Replica(new RedisEntries(await links.open(url)))
  const kept = (key: string) => eventually(async () => (await redis.admin.exists(key)) === 1, key)
  const gone = (key: string) => eventually(async () => (await redis.admin.exists(key)) === 0, `the end of ${key}`)
  /** Lets time pass until the work has settled: each check of a waiting replica is a round trip to Redis. */
  const passing = async <T>(work: Promise<T>, step = 400): Promise<T> => {
    let settled = false
    const done = work.finally(() => (settled = true))
    done.catch(() => undefined)
    await eventually(() => {
      clock.advance(step)
      return settled
    }, 'the work')
    return await done
  }

  it('loads a value once for all: later calls find it, and concurrent calls wait for it', async () => {
    const [one, two, three] = [await replica(), await replica(), await replica()]
    const first = one.get()
    await one.loading(1)
    const second = two.get()
    await settle()
    one.loads[0]?.end('a')
    expect(await first).to.equal('va')
    expect(await passing(second)).to.equal('va')
    expect(await three.get()).to.equal('va')
    expect([two.loads, three.loads]).to.deep.equal([[], []])
    expect(await redis.admin.pttl(VALUE)).to.be.within(1, 60_000)
    await gone(LEASE)
  })

  it('lets another replica load at once when the load of the first has failed or was given up', async () => {
    const [one, two] = [await replica(), await replica()]
    const first = one.get()
    await one.loading(1)
    const second = two.get()
    one.loads[0]?.fail(new Error('no'))
    expect((await errorOf(first)).message).to.equal('no')
    await gone(LEASE)
    void passing(second)
    await two.loading(1)
    two.loads[0]?.end('b')
    expect(await second).to.equal('vb')
    const cancel = new Cancel(clock, clock.monotonic() + 100_000)
    clock.advance(60_000)
    await redis.admin.flushall()
    const third = one.get({ cancel })
    await one.loading(2)
    cancel.cancel('client-gone')
    await errorOf(third)
    one.loads[1]?.fail(new Error('over'))
    await gone(LEASE)
  })

  it('waits for a replica that died no longer than its lease, and renews the lease of one that lives', async () => {
    const [one, two] = [await replica(), await replica()]
    await redis.admin.set(LEASE, 'of one that died', 'PX', 60)
    const second = two.get()
    void passing(second)
    await two.loading(1)
    expect(await redis.admin.pttl(LEASE)).to.be.within(1, LEASE_MS)
    await redis.admin.pexpire(LEASE, 10_000)
    clock.advance(LEASE_MS / 2)
    await eventually(async () => (await redis.admin.pttl(LEASE)) <= LEASE_MS, 'a renewal')
    two.loads[0]?.end('b')
    expect(await second).to.equal('vb')
    expect(await one.get()).to.equal('vb')
  })

  it('loads here too when another replica takes too long', async () => {
    const one = await replica()
    await redis.admin.set(LEASE, 'of one that is slow')
    const first = one.get()
    void passing(first)
    await one.loading(1)
    expect(clock.monotonic()).to.be.within(15_000, 20_000)
    one.loads[0]?.end('a')
    expect(await first).to.equal('va')
    expect(await redis.admin.get(LEASE)).to.equal('of one that is slow')
    await kept(VALUE)
  })

  it('takes nothing out of Redis that does not fit, is too large, of another kind or without an end', async () => {
    const large = `v${'x'.repeat(300_000)}`
    const lies: (() => Promise<unknown>)[] = [
      () => redis.admin.set(VALUE, 'something', 'PX', 50_000),
      () => redis.admin.set(VALUE, large, 'PX', 50_000),
      () => redis.admin.set(VALUE, 'vforever'),
      () => redis.admin.rpush(VALUE, 'v').then(() => redis.admin.pexpire(VALUE, 50_000)),
    ]
    for (const lie of lies) {
      await redis.admin.flushall()
      await lie()
      const one = await replica()
      const first = one.get()
      await one.loading(1)
      expect(await redis.admin.exists(LEASE)).to.equal(1)
      one.loads[0]?.end('true')
      expect(await first).to.equal('vtrue')
      // Until it is written over, what is there may be of another kind, which GET refuses.
      const isTrue = async (): Promise<boolean> =>
        (await redis.admin.type(VALUE)) === 'string' && (await redis.admin.get(VALUE)) === 'vtrue'
      await eventually(isTrue, 'the true value')
    }
  })

  it('gives what it found no longer than the plugin would keep it itself', async () => {
    await redis.admin.set(VALUE, 'vold', 'PX', 1_000_000)
    const one = await replica()
    expect(await one.get()).to.equal('vold')
    clock.advance(60_000)
    await redis.admin.del(VALUE)
    void one.get()
    await one.loading(1)
  })

  it('goes on alone while Redis is away, in the middle of a load too', async () => {
    const proxy = await links.proxy(redis)
    const link = await links.open(proxy.url)
    const one = new Replica(new RedisEntries(link))
    const first = one.get()
    await one.loading(1)
    await proxy.down()
    await untilShared(link, false)
    one.loads[0]?.end('a')
    expect(await first).to.equal('va')
    expect(await one.get()).to.equal('va')
    clock.advance(60_000)
    const second = one.get()
    await one.loading(2)
    one.loads[1]?.end('b')
    expect(await second).to.equal('vb')
  })

  it('of a replica that waits for another when Redis dies is loaded there', async () => {
    const proxy = await links.proxy(redis)
    const two = await replica(proxy.url)
    await redis.admin.set(LEASE, 'of another', 'PX', 60_000)
    const second = two.get()
    await settle()
    await proxy.down()
    void passing(second)
    await two.loading(1)
    two.loads[0]?.end('b')
    expect(await second).to.equal('vb')
  })

  it('gives a stale value of Redis at once, and lets one replica load a new one behind its call', async () => {
    const stale = { staleMs: 600_000 }
    await redis.admin.set(VALUE, 'vold', 'PX', 500_000)
    const [one, two] = [await replica(), await replica()]
    expect([await one.get(stale), await two.get(stale)]).to.deep.equal(['vold', 'vold'])
    expect(await one.get(stale)).to.equal('vold')
    await one.loading(1)
    expect(await two.get(stale)).to.equal('vold')
    await Promise.all(two.behind)
    expect(two.loads.length).to.equal(0)
    one.loads[0]?.end('new')
    await Promise.all(one.behind)
    expect(await one.get(stale)).to.equal('vnew')
    await eventually(async () => (await redis.admin.get(VALUE)) === 'vnew', 'the new value')
    clock.advance(5_000)
    expect(await two.get(stale)).to.equal('vold')
    await Promise.all(two.behind)
    expect(await two.get(stale)).to.equal('vnew')
    expect(two.loads.length).to.equal(0)
  })

  it('keeps that there is nothing for its own time', async () => {
    const missing = { missingMs: 5_000, fits: () => true }
    const [one, two] = [await replica(), await replica()]
    const nothing = textOf({ kind: 'missing', message: 'Nobody.' })
    expect(await one.get({ ...missing, load: () => Promise.resolve(nothing) })).to.equal(nothing)
    await kept(VALUE)
    expect(await redis.admin.pttl(VALUE)).to.be.within(1, 5_000)
    expect(await two.get(missing)).to.equal(nothing)
  })

  it('queries Redis once for a value it finds, never for one in memory, and twice for one it loads', async () => {
    const link = new ScriptedLink()
    const one = new Replica(new RedisEntries(link))
    link.answer = () => ['kept', 10_000, 'va']
    for (let time = 0; time < 3; time++) expect(await one.get()).to.equal('va')
    expect(link.commands.length).to.equal(1)
    link.answer = () => ['ours']
    clock.advance(10_000)
    const loaded = one.get()
    await settle()
    one.loads[0]?.end('b')
    await loaded
    expect(link.commands.length).to.equal(3)
    link.answer = (_, args) => (args[4] === 1 ? ['ours'] : ['kept', 10_000, 'something'])
    clock.advance(60_000)
    const other = one.get()
    await settle(10)
    one.loads[1]?.end('c')
    expect(await other).to.equal('vc')
    expect(link.commands.length).to.equal(6)
    link.answer = () => 'nonsense'
    clock.advance(60_000)
    const alone = one.get()
    await settle()
    one.loads[2]?.end('d')
    expect(await alone).to.equal('vd')
  })
})
