import { expect } from 'chai'
import { MemoryAbortLimit, type AbortLimit } from '../../../core/limits/aborts.js'
import { RedisAbortLimit } from '../../../core/limits/redis-aborts.js'
import type { RedisLink } from '../../../core/redis/types.js'
import { Problem } from '../../../core/problems/problem.js'
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
  it('counts an account for a minute from its first abort, and another account for itself', async () => {
    const clock = new HandClock()
    const aborts = new MemoryAbortLimit(clock, 2)
    clock.advance(1_000)
    aborts.count('acc')
    clock.advance(30_000)
    aborts.count('acc')
    expect(await refusal(aborts)).to.equal(null)
    aborts.count('acc')
    const refused = await refusal(aborts)
    expect(refused?.options.retryAfterSeconds).to.equal(30)
    expect(refused?.message).to.contain('This account gave up more than 2 calls')
    expect(await refusal(aborts, 'other')).to.equal(null)
    clock.advance(30_001)
    expect(await refusal(aborts)).to.equal(null)
    aborts.count('acc')
    expect(await refusal(aborts)).to.equal(null)
  })

  it('asks Redis at most once a second for an account, and takes its own share while Redis does not answer', async () => {
    const clock = new HandClock()
    const link = new ScriptedLink()
    link.answer = () => [0, -2]
    const aborts = new RedisAbortLimit({ link, clock, most: 4, replicas: () => 2 })
    for (let round = 0; round < 50; round++) expect(await refusal(aborts)).to.equal(null)
    expect(link.asked).to.have.length(1)
    clock.advance(1_000)
    link.answer = () => [5, 12_000]
    expect((await refusal(aborts))?.options.retryAfterSeconds).to.equal(12)
    expect(link.asked).to.have.length(2)
    link.shared = false
    clock.advance(60_000)
    aborts.count('acc')
    aborts.count('acc')
    expect(await refusal(aborts)).to.equal(null)
    aborts.count('acc')
    expect((await refusal(aborts))?.options.retryAfterSeconds).to.equal(60)
  })
})

describe('T-63 replies of Redis about given-up calls', () => {
  it('may come in any order: a count never falls within its minute', async () => {
    const clock = new HandClock()
    const link = new ScriptedLink()
    const aborts = new RedisAbortLimit({ link, clock, most: 2, replicas: () => 1 })
    let late: (reply: unknown) => void = () => undefined
    link.answer = () => new Promise((resolve) => (late = resolve))
    aborts.count('acc')
    link.answer = () => [3, 60_000]
    aborts.count('acc')
    await settle()
    late([1, 60_000])
    await settle()
    expect((await refusal(aborts))?.options.retryAfterSeconds).to.equal(60)
    clock.advance(60_001)
    link.answer = () => [1, 60_000]
    expect(await refusal(aborts), 'a new minute').to.equal(null)
  })
})

describe('T-63 the limit of given-up calls over replicas', function () {
  const { redis, links } = useRedis(this)

  it('adds up what is given up on each, for a minute', async () => {
    const clock = new HandClock()
    const replica = (link: RedisLink): RedisAbortLimit => new RedisAbortLimit({ link, clock, most: 2, replicas: () => 3 })
    const [one, two, three] = [
      replica(await links.open(redis.url)),
      replica(await links.open(redis.url)),
      replica(await links.open(redis.url)),
    ]
    for (const each of [one, two, three]) each.count('acc')
    for (let turn = 0; (await redis.admin.get('capstan:{account:acc}:aborts')) !== '3'; turn++) {
      if (turn > 10_000) throw new Error('the aborts were not counted')
      await settle()
    }
    clock.advance(1_000)
    for (const each of [one, two, three]) {
      const refused = await refusal(each)
      expect(refused?.options.retryAfterSeconds).to.be.within(1, 60)
      expect(await refusal(each, 'other')).to.equal(null)
    }
    expect(await redis.admin.pttl('capstan:{account:acc}:aborts')).to.be.within(1, 60_000)
  })
})
