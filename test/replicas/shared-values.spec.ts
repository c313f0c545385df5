import { expect } from 'chai'
import type { Cap } from '../../core/sdk/index.js'
import { Type } from '../../core/sdk/index.js'
import { call, ECHO, eventually, Site, type Replica } from '../support/replicas.js'
import { echo, handle } from '../support/test-plugin.js'

const MOST = 10
const cap: Cap = { most: MOST, per: 'day', of: 'account', subject: '+491700000001', setting: 'messages_per_day' }
const shape = Type.Object({ text: Type.String() })

describe('values and caps over replicas', function () {
  this.timeout(60_000)
  const site = new Site()
  let loads: string[] = []
  let release: (() => void)[] = []
  const handler = handle(echo, async ({ text }, context) => {
    const [what, key = ''] = text.split(' ')
    if (what === 'cap') {
      const { left } = await context.caps.take('messages', { ...cap, subject: key })
      return { text: String(left) }
    }
    return await context.cache.get(key, { shape, seconds: 3_600 }, async () => {
      loads.push(key)
      if (key.startsWith('wait')) await new Promise<void>((resolve) => release.push(resolve))
      return { text: `value ${String(loads.length)}` }
    })
  })
  let one: Replica
  let two: Replica
  before(async function () {
    await site.open(this)
    await site.empty()
    const [first, second] = await site.start(2, { script: { handler }, redisProxy: true })
    one = first ?? expect.fail('no replica')
    two = second ?? expect.fail('no replica')
  })
  after(async () => {
    for (const go of release) go()
    await site.end()
    await site.close()
  })
  beforeEach(() => {
    loads = []
    release = []
  })
  /** Lets time pass meanwhile, in steps shorter than a command of Redis may take: a replica checks repeatedly whether the other has loaded. */
  const passing = async <T>(text: string, work: Promise<T>): Promise<T> => {
    let done = false
    void work.finally(() => (done = true)).catch(() => undefined)
    while (!done) {
      await site.quiet()
      if (text.startsWith('cache')) await site.pass(20)
    }
    return await work
  }
  const both = async (text: string, each: number, key: string) =>
    await passing(text, Promise.all([one, two].flatMap((replica) => Array.from({ length: each }, () => call(replica, key, { text })))))
  const textsOf = (replies: Awaited<ReturnType<typeof both>>): unknown[] =>
    replies.filter(({ status }) => status === 200).map((reply) => reply.json<{ data: { text: string } }>().data.text)

  it('of forty calls at once over both exactly as many as the cap says are carried out; the others are 429, free, with Retry-After', async () => {
    const { id, key } = await one.newAccount(100)
    const replies = await both('cap a', 20, key)
    expect(
      textsOf(replies)
        .map(Number)
        .toSorted((a, b) => a - b),
    ).to.deep.equal(Array.from({ length: MOST }, (_, left) => left))
    const refused = replies.filter(({ status }) => status !== 200)
    expect(new Set(refused.map(({ status }) => status))).to.deep.equal(new Set([429]))
    for (const reply of refused) {
      expect(Number(reply.headers['retry-after'])).to.be.within(1, 86_400)
      expect(reply.json().error?.detail).to.match(
        /^The cap of 10 messages a day \(UTC\) for this account and this target \(plugins\.test\.messages_per_day\) leaves 0/,
      )
    }
    expect(await one.money(id)).to.include({ balance: 100 - MOST, held: 0 })
    expect(textsOf(await both('cap b', 1, key)).length).to.equal(2)
  })

  it('a value is loaded once for all calls of both, at once and later', async () => {
    const { key } = await one.newKey()
    const waiting = both('cache wait', 10, key)
    await eventually(() => release.length === 1, 'the load')
    for (const go of release) go()
    expect(new Set(textsOf(await waiting))).to.deep.equal(new Set(['value 1']))
    expect(textsOf(await both('cache wait', 2, key))).to.deep.equal(['value 1', 'value 1', 'value 1', 'value 1'])
    expect(loads).to.deep.equal(['wait'])
  })

  it('neither numbers nor keys lie in Redis', async () => {
    const { key } = await one.newKey()
    await both('cache someone@example.com', 1, key)
    await both('cap +491700000009', 1, key)
    const keys = await site.redis.admin.keys('*')
    expect(keys.some((name) => name.startsWith('capstan:cache:')) && keys.some((name) => name.startsWith('capstan:cap:'))).to.equal(true)
    expect(keys.join()).not.to.match(/someone|4917/)
  })

  it('Redis killed in the middle of it all: what is in memory is given, what is not is loaded by each, and a cap by shares', async () => {
    const { key } = await one.newKey()
    // The replicas are counted every five seconds.
    await site.pass(6_000)
    expect(textsOf(await both('cache kept', 1, key)).length).to.equal(2)
    expect(textsOf(await both('cap c', 2, key)).length).to.equal(4)
    loads = []
    const slow = call(one, key, { text: 'cache wait-2' })
    await eventually(() => release.length === 1, 'the load')
    await Promise.all([one.redis().down(), two.redis().down()])
    for (const go of release) go()
    expect((await slow).status).to.equal(200)
    expect(textsOf(await both('cache kept', 1, key)).length).to.equal(2)
    expect(loads).to.deep.equal(['wait-2'])
    expect(textsOf(await both('cache other', 1, key)).length).to.equal(2)
    expect(loads).to.deep.equal(['wait-2', 'other', 'other'])
    // A share is five, of which each has given out two.
    const alone = await both('cap c', 8, key)
    expect(textsOf(alone).length).to.equal(6)
    await Promise.all([one.redis().up(), two.redis().up()])
    await eventually(async () => {
      await site.pass(1_000)
      const counts = await site.redis.admin.keys('capstan:cap:*')
      const used = await Promise.all(counts.map((count) => site.redis.admin.hget(count, 'used')))
      return used.filter((each) => each === String(MOST)).length === 2
    }, 'what was given out meanwhile')
    expect((await one.send(ECHO, { body: { text: 'cap c' }, key })).status).to.equal(429)
  })
})
