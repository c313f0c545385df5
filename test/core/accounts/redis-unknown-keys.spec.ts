import { expect } from 'chai'
import { Authenticator, RedisUnknownKeys } from '../../../core/accounts/authenticate.js'
import { hashKey, makeKey } from '../../../core/accounts/layout.js'
import { FailedLogins } from '../../../core/accounts/login-guard.js'
import { Problem } from '../../../core/problems/problem.js'
import { LiveReplicas } from '../../../core/lifecycle/replicas.js'
import type { KeyRecord, KeyStore } from '../../../core/store/types.js'
import { HandClock } from '../../support/outbound.js'
import { useRedis } from '../../support/redis-suite.js'
import { logInto, type LogLine } from '../../support/log-lines.js'
import { settle } from '../../support/unit.js'
import { until } from '../../support/time.js'

/** A store of keys that counts its lookups. */
class CountingKeys {
  reads = 0
  readonly #known = new Map<string, KeyRecord>()

  get store(): KeyStore {
    const find: KeyStore['find'] = (hash) => {
      this.reads++
      const key = this.#known.get(hash)
      return Promise.resolve(key === undefined ? null : { key, account: {} as never })
    }
    return { find } as KeyStore
  }

  add(key: string, revoked = false): void {
    const hash = hashKey(key)
    this.#known.set(hash, {
      hash,
      expires_at: null,
      revoked_at: revoked ? 1 : null,
      credit_limit: null,
      credit_limit_per_day: null,
      caps: [],
    } as Partial<KeyRecord> as KeyRecord)
  }
}

describe('unknown keys shared by replicas', function () {
  const { redis, links } = useRedis(this)

  const replica = async (keys: CountingKeys, url = redis.url) => {
    const clock = new HandClock()
    clock.advance(60_000)
    const guard = new FailedLogins(clock, { most: 1_000, windowSeconds: 900 })
    const authenticator = new Authenticator(keys.store, clock, guard, new RedisUnknownKeys(await links.open(url)))
    const uses = async (key: string, use: 'charged' | 'read' = 'charged'): Promise<string> => {
      try {
        await authenticator.authenticate(`Bearer ${key}`, '192.0.2.1', use)
        return 'works'
      } catch (error) {
        if (error instanceof Problem) return error.slug
        throw error
      }
    }
    return { clock, uses }
  }
  const isShared = async (key: string): Promise<void> => {
    await until(async () => (await redis.admin.exists(`capstan:unknown:${hashKey(key)}`)) !== 0)
  }

  it('T-05 are looked up once by all replicas together, and again after a minute', async () => {
    const keys = new CountingKeys()
    const [one, two] = [await replica(keys), await replica(keys)]
    const key = makeKey()
    expect(await one.uses(key)).to.equal('invalid-api-key')
    await isShared(key)
    for (let count = 0; count < 5; count++) expect(await two.uses(key)).to.equal('invalid-api-key')
    expect(keys.reads).to.equal(1)
    expect(await redis.admin.pttl(`capstan:unknown:${hashKey(key)}`)).to.be.within(50_000, 60_000)
    await redis.admin.flushall()
    two.clock.advance(60_001)
    // The memory keeps the time for a millisecond.
    while (keys.reads === 1) {
      expect(await two.uses(key)).to.equal('invalid-api-key')
      await settle()
    }
    expect(keys.reads).to.equal(2)
  })

  it('are remembered for what is left of the minute only, however many replicas receive them', async () => {
    const keys = new CountingKeys()
    const two = await replica(keys)
    const key = makeKey()
    await redis.admin.set(`capstan:unknown:${hashKey(key)}`, '', 'PX', 20_000)
    expect(await two.uses(key)).to.equal('invalid-api-key')
    await redis.admin.flushall()
    two.clock.advance(20_001)
    while (keys.reads === 0) {
      await two.uses(key)
      await settle()
    }
    expect(keys.reads).to.equal(1)
  })

  it('a key that is made works at once on every replica, and nothing is written for it', async () => {
    const keys = new CountingKeys()
    const replicas = [await replica(keys), await replica(keys)]
    const key = makeKey()
    keys.add(key)
    for (const { uses } of replicas) expect(await uses(key)).to.equal('works')
    expect(await redis.admin.keys('capstan:unknown:*')).to.deep.equal([])
  })

  it('a key that worked here costs Redis nothing, not even when it is read again', async () => {
    const keys = new CountingKeys()
    const proxy = await links.proxy(redis)
    const one = await replica(keys, proxy.url)
    const key = makeKey()
    keys.add(key)
    await one.uses(key)
    const before = proxy.trips
    for (let count = 0; count < 5; count++) {
      expect(await one.uses(key, 'read')).to.equal('works')
      one.clock.advance(2_000)
    }
    expect([proxy.trips - before, keys.reads]).to.deep.equal([0, 5])
  })

  it('a revoked key is shared like an unknown one', async () => {
    const keys = new CountingKeys()
    const [one, two] = [await replica(keys), await replica(keys)]
    const key = makeKey()
    keys.add(key, true)
    await one.uses(key)
    await isShared(key)
    expect(await two.uses(key)).to.equal('invalid-api-key')
    expect(keys.reads).to.equal(1)
  })

  it('F-12 without Redis each replica does its own lookups', async () => {
    const keys = new CountingKeys()
    const proxy = await links.proxy(redis)
    await proxy.down()
    const [one, two] = [await replica(keys, proxy.url), await replica(keys, proxy.url)]
    const key = makeKey()
    for (const { uses } of [one, two, one, two]) expect(await uses(key)).to.equal('invalid-api-key')
    expect(keys.reads).to.equal(2)
  })
})

describe('the number of live replicas', () => {
  it('is one until counted, is counted every five seconds, and stays when the store does not answer', async () => {
    const clock = new HandClock()
    const logs: LogLine[] = []
    const state: { live: string[] | null } = { live: ['a', 'b', 'c'] }
    const live = (): Promise<string[]> => (state.live === null ? Promise.reject(new Error('away')) : Promise.resolve(state.live))
    const replicas = new LiveReplicas({ live }, clock, logInto(logs))
    expect(replicas.count).to.equal(1)
    await replicas.recount()
    expect(replicas.count).to.equal(3)
    state.live = []
    clock.advance(5_000)
    await settle()
    expect(replicas.count).to.equal(1)
    state.live = ['a', 'b']
    clock.advance(5_000)
    await settle()
    state.live = null
    clock.advance(5_000)
    await settle()
    expect([replicas.count, logs.length]).to.deep.equal([2, 1])
    replicas.close()
    state.live = ['a']
    clock.advance(5_000)
    await settle()
    expect(replicas.count).to.equal(2)
  })
})
