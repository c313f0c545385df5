import { expect } from 'chai'
import { useFakeTimers, type SinonFakeTimers } from 'sinon'
import { systemClock } from '../../../core/runtime/clock.js'
import { AbortLimit } from '../../../core/limits/unpaid.js'
import { FailedLogins } from '../../../core/accounts/login-guard.js'
import { Problem } from '../../../core/problems/problem.js'
import type { RedisLink } from '../../../core/redis/types.js'
import { HandClock } from '../../support/outbound.js'
import { ScriptedLink } from '../../support/redis.js'
import { useRedis } from '../../support/redis-suite.js'
import { settle } from '../../support/unit.js'

async function refusal(aborts: AbortLimit, account = 'acc'): Promise<Problem | null> {
  try {
    await aborts.refuse(account)
    return null
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

describe('T-63 the limit of given-up calls', () => {
  let timers: SinonFakeTimers
  beforeEach(() => void (timers = useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] })))
  afterEach(() => timers.restore())

  it('counts an account for a minute from its first abort, and another account for itself', async () => {
    const aborts = new AbortLimit(systemClock, 2)
    timers.tick(1_000)
    aborts.count('acc')
    timers.tick(30_000)
    aborts.count('acc')
    expect(await refusal(aborts)).to.equal(null)
    aborts.count('acc')
    await settle()
    const refused = await refusal(aborts)
    expect(refused?.options.retryAfterSeconds).to.equal(30)
    expect(refused?.message).to.contain('This account aborted more than 2 calls')
    expect(await refusal(aborts, 'other')).to.equal(null)
    timers.tick(30_001)
    expect(await refusal(aborts)).to.equal(null)
    aborts.count('acc')
    await settle()
    expect(await refusal(aborts)).to.equal(null)
  })

  it('a wall clock that is set back by a day keeps nobody out for longer than a minute', async () => {
    const aborts = new AbortLimit(systemClock, 0)
    aborts.count('acc')
    await settle()
    timers.setSystemTime(Date.now() - 86_400_000)
    timers.tick(1_000)
    expect((await refusal(aborts))?.options.retryAfterSeconds).to.be.within(1, 60)
    timers.tick(61_000)
    expect(await refusal(aborts)).to.equal(null)
  })

  it('queries Redis at most once a second for an account, and takes its own share while Redis does not answer', async () => {
    const link = new ScriptedLink()
    link.answer = () => [0, -2]
    const aborts = new AbortLimit(systemClock, 4, { link, replicas: () => 2 })
    for (let round = 0; round < 50; round++) expect(await refusal(aborts)).to.equal(null)
    expect(link.commands).to.have.length(1)
    timers.tick(1_000)
    link.answer = () => [5, 12_000]
    expect((await refusal(aborts))?.options.retryAfterSeconds).to.equal(12)
    expect(link.commands).to.have.length(2)
    link.shared = false
    timers.tick(60_000)
    aborts.count('acc')
    aborts.count('acc')
    await settle()
    expect(await refusal(aborts)).to.equal(null)
    aborts.count('acc')
    await settle()
    expect((await refusal(aborts))?.options.retryAfterSeconds).to.equal(60)
  })

  it('forgets no refusal for a reply of Redis that comes late with a lower count', async () => {
    const link = new ScriptedLink()
    const aborts = new AbortLimit(systemClock, 1, { link, replicas: () => 1 })
    link.answer = () => [2, 30_000]
    aborts.count('acc')
    await settle()
    link.answer = () => [1, 30_000]
    aborts.count('acc')
    await settle()
    expect((await refusal(aborts))?.slug).to.equal('rate-limited')
  })
})

describe('what is counted over replicas', function () {
  const { redis, links } = useRedis(this)
  const counted = async (key: string, count: number): Promise<void> => {
    for (let turn = 0; (await redis.admin.get(key)) !== String(count); turn++) {
      if (turn > 10_000) throw new Error(`${key} was not counted`)
      await settle()
    }
  }

  it('T-63 adds up the calls given up on each, for a minute', async () => {
    const clock = new HandClock()
    const replica = (link: RedisLink): AbortLimit => new AbortLimit(clock, 2, { link, replicas: () => 3 })
    const [one, two, three] = [
      replica(await links.open(redis.url)),
      replica(await links.open(redis.url)),
      replica(await links.open(redis.url)),
    ]
    for (const each of [one, two, three]) each.count('acc')
    await counted('capstan:aborts:acc', 3)
    clock.advance(1_000)
    for (const each of [one, two, three]) {
      const refused = await refusal(each)
      expect(refused?.options.retryAfterSeconds).to.be.within(1, 60)
      expect(await refusal(each, 'other')).to.equal(null)
    }
    expect(await redis.admin.pttl('capstan:aborts:acc')).to.be.within(1, 60_000)
  })

  it('an address that failed too often at others is refused after its next failure here', async () => {
    const clock = new HandClock()
    const replica = (link: RedisLink): FailedLogins =>
      new FailedLogins(clock, { most: 100, windowSeconds: 900, shared: { link, replicas: () => 2 } })
    const [one, two] = [replica(await links.open(redis.url)), replica(await links.open(redis.url))]
    await redis.admin.set('capstan:logins:192.0.2.1', 98, 'EX', 900)
    const failuresUntilRefused = async (guard: FailedLogins): Promise<number> => {
      for (let failures = 1; failures < 20; failures++) {
        guard.refuseBlocked('192.0.2.1')
        guard.failed('192.0.2.1')
        for (let turn = 0; turn < 200 && !refused(guard); turn++) await settle()
        if (refused(guard)) return failures
      }
      throw new Error('it is not refused')
    }
    const refused = (guard: FailedLogins): boolean => {
      try {
        guard.refuseBlocked('192.0.2.1')
        return false
      } catch (error) {
        return error instanceof Problem
      }
    }
    // A reply that comes too late on a busy machine teaches nothing; alone each would take fifty.
    expect(await failuresUntilRefused(one)).to.be.at.most(10)
    two.refuseBlocked('192.0.2.1')
    expect(await failuresUntilRefused(two)).to.be.at.most(10)
    expect(() => two.refuseBlocked('192.0.2.2')).not.to.throw()
  })
})
