import { expect } from 'chai'
import { useFakeTimers, type SinonFakeTimers } from 'sinon'
import { systemClock } from '../../../core/runtime/clock.js'
import { UnpaidUse } from '../../../core/limits/unpaid.js'
import { Problem } from '../../../core/problems/problem.js'
import type { RedisLink } from '../../../core/redis/types.js'
import { HandClock } from '../../support/outbound.js'
import { ScriptedLink } from '../../support/redis.js'
import { useRedis } from '../../support/redis-suite.js'
import { settle } from '../../support/unit.js'

const MOST = { tokens: 1_000, calls: 3 }

async function refusal(limit: UnpaidUse, account = 'acc'): Promise<Problem | null> {
  try {
    await limit.refuse(account)
    return null
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

describe('A6 the limit of what vendors charge for in calls that are not charged', () => {
  let timers: SinonFakeTimers
  beforeEach(() => void (timers = useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] })))
  afterEach(() => timers.restore())

  it('refuses an account above its tokens of a minute with 429, names the setting, and refuses no other account', async () => {
    const limit = new UnpaidUse(systemClock, MOST)
    limit.count('acc', { tokens: 1_000, calls: 0 })
    await settle()
    expect(await refusal(limit)).to.equal(null)
    timers.tick(10_000)
    limit.count('acc', { tokens: 1, calls: 0 })
    await settle()
    const refused = await refusal(limit)
    expect(refused).to.include({ slug: 'rate-limited', status: 429 })
    expect(refused?.message).to.contain('1000 tokens').and.contain('(limits.unpaid_tokens)')
    expect(refused?.options.retryAfterSeconds).to.equal(50)
    expect(await refusal(limit, 'other')).to.equal(null)
    timers.tick(50_001)
    expect(await refusal(limit)).to.equal(null)
  })

  it('counts calls of vendors by a setting of their own', async () => {
    const limit = new UnpaidUse(systemClock, MOST)
    for (const calls of [1, 2]) limit.count('acc', { tokens: 0, calls })
    await settle()
    expect(await refusal(limit)).to.equal(null)
    limit.count('acc', { tokens: 0, calls: 1 })
    await settle()
    expect((await refusal(limit))?.message)
      .to.contain('3 calls that vendors charge for')
      .and.contain('limits.unpaid_vendor_calls')
  })

  it('holds on average: what calls at the same time used above the limit is counted in the minutes that follow', async () => {
    const limit = new UnpaidUse(systemClock, MOST)
    for (let call = 0; call < 10; call++) limit.count('acc', { tokens: 450, calls: 0 })
    await settle()
    expect((await refusal(limit))?.options.retryAfterSeconds).to.equal(240)
    for (const seconds of [180, 120, 60]) {
      timers.tick(60_001)
      expect((await refusal(limit))?.options.retryAfterSeconds).to.equal(seconds)
    }
    timers.tick(60_001)
    expect(await refusal(limit), '500 are left, which a minute allows').to.equal(null)
    limit.count('acc', { tokens: 501, calls: 0 })
    await settle()
    expect((await refusal(limit))?.slug).to.equal('rate-limited')
  })

  it('takes its share while Redis does not answer', async () => {
    const link = new ScriptedLink()
    link.shared = false
    const limit = new UnpaidUse(systemClock, MOST, { link, replicas: () => 2 })
    limit.count('acc', { tokens: 500, calls: 0 })
    await settle()
    expect(await refusal(limit)).to.equal(null)
    limit.count('acc', { tokens: 1, calls: 0 })
    await settle()
    expect((await refusal(limit))?.slug).to.equal('rate-limited')
  })
})

describe('A6 unpaid use over replicas', function () {
  const { redis, links } = useRedis(this)

  it('is added up: each refuses what they used together', async () => {
    const clock = new HandClock()
    const replica = (link: RedisLink): UnpaidUse => new UnpaidUse(clock, MOST, { link, replicas: () => 2 })
    const [one, two] = [replica(await links.open(redis.url)), replica(await links.open(redis.url))]
    one.count('acc', { tokens: 600, calls: 2 })
    two.count('acc', { tokens: 401, calls: 0 })
    for (let turn = 0; (await redis.admin.get('capstan:unpaid-tokens:acc')) !== '1001'; turn++) {
      if (turn > 10_000) throw new Error('it was not counted')
      await settle()
    }
    clock.advance(1_000)
    for (const each of [one, two]) {
      expect((await refusal(each))?.message).to.contain('limits.unpaid_tokens')
      expect(await refusal(each, 'other')).to.equal(null)
    }
    expect(await redis.admin.get('capstan:unpaid-calls:acc')).to.equal('2')
    expect(await redis.admin.pttl('capstan:unpaid-tokens:acc')).to.be.within(1, 60_000)
  })
})
