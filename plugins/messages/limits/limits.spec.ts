import { expect } from 'chai'
import { systemClock } from '../../../core/runtime/clock.js'
import type { Reply } from '../../../test/support/gateway.js'
import { german, MessageVendors, MessageWorld } from '../../../test/support/message-world.js'
import { HandClock } from '../../../test/support/outbound.js'
import { Site, type Replica } from '../../../test/support/replicas.js'

const DAY_MS = 86_400_000
const limited = (settings: Readonly<Record<string, number>>): string =>
  `plugins:\n  messages:\n${Object.entries(settings)
    .map(([name, value]) => `    ${name}: ${String(value)}\n`)
    .join('')}`
const statuses = (replies: readonly Reply[]): number[] => replies.map(({ status }) => status)
const refusedBy = (reply: Reply, setting: string): void => {
  expect(reply.status, reply.text).to.equal(429)
  expect(reply.json().error?.detail).to.contain(`plugins.messages.${setting}`)
  expect(Number(reply.headers['retry-after'])).to.be.greaterThan(0)
  expect(reply.headers['x-credits-used']).to.equal('0')
}

describe('caps of messages', function () {
  this.timeout(60_000)
  let world: MessageWorld | null = null
  let clock = new HandClock()
  afterEach(async () => {
    await world?.close()
    world = null
  })
  const start = async (settings: Readonly<Record<string, number>>): Promise<MessageWorld> => {
    clock = new HandClock()
    world = await MessageWorld.start({ file: limited(settings), overrides: { clock } })
    await world.gateway.admin('POST', '/admin/v1/accounts/default/grants', { amount: 100_000, ref: 'for the test' })
    return world
  }
  const all = async (numbers: readonly string[], key?: string): Promise<Reply[]> => {
    const replies: Reply[] = []
    for (const to of numbers) replies.push((await world?.send({ to }, key === undefined ? {} : { key })) ?? expect.fail('no world'))
    return replies
  }

  it('T-41 one number gets three in ten minutes and ten a day, whoever sends', async () => {
    const { gateway, vendors } = await start({})
    const { key } = await gateway.newAccount(100)
    const first = await all(Array<string>(3).fill(german(1)))
    const fourth = await all([german(1)], key)
    expect(statuses(first)).to.deep.equal([200, 200, 200])
    refusedBy(fourth[0] ?? expect.fail('no answer'), 'per_number_per_10_minutes')
    const sent: number[] = []
    for (let round = 0; round < 4; round++) {
      clock.advance(600_000)
      sent.push(...statuses(await all(Array<string>(3).fill(german(1)))))
    }
    expect(sent.filter((status) => status === 200)).to.have.length(7)
    expect(vendors.received).to.have.length(10)
    clock.advance(600_000)
    refusedBy((await all([german(1)]))[0] ?? expect.fail('no answer'), 'per_number_per_day')
    expect(statuses(await all([german(20_000)])), 'another number').to.deep.equal([200])
    clock.advance(DAY_MS)
    expect(statuses(await all([german(1)])), 'the next day').to.deep.equal([200])
  })

  it('T-41 a script that counts numbers up stops at the cap of their prefix', async () => {
    const { vendors } = await start({ per_prefix_per_day: 20 })
    const replies = await all(Array.from({ length: 30 }, (_, place) => german(place)))
    expect(statuses(replies)).to.deep.equal([...Array<number>(20).fill(200), ...Array<number>(10).fill(429)])
    refusedBy(replies[20] ?? expect.fail('no answer'), 'per_prefix_per_day')
    expect(vendors.received).to.have.length(20)
  })

  it('an account has its own count, and its keys have it together', async () => {
    const { gateway } = await start({ per_account_per_day: 2 })
    const { key } = await gateway.newAccount(100)
    const { key: second } = await gateway.newKey()
    expect(statuses(await all([german(0), german(10_000)]))).to.deep.equal([200, 200])
    refusedBy((await all([german(20_000)], second))[0] ?? expect.fail('no answer'), 'per_account_per_day')
    expect(statuses(await all([german(30_000)], key))).to.deep.equal([200])
  })

  it('what every vendor clearly refused is in no count; what one may have sent is in all of them', async () => {
    const { vendors } = await start({ per_number_per_10_minutes: 2 })
    vendors.answer = () => ({ status: 400, json: { code: 21610, status: 400 } })
    expect(statuses(await all(Array<string>(4).fill(german(0))))).to.deep.equal([422, 422, 422, 422])
    vendors.answer = () => 'cut-within'
    expect(statuses(await all(Array<string>(3).fill(german(0))))).to.deep.equal([502, 502, 429])
  })

  it('0 allows none', async () => {
    const { vendors } = await start({ per_account_per_day: 0 })
    expect(statuses(await all([german(0)]))).to.deep.equal([429])
    expect(vendors.received).to.deep.equal([])
  })

  describe('of a country', () => {
    let next = 0
    const send = async (count: number): Promise<Reply[]> => await all(Array.from({ length: count }, () => german((next += 10_000))))

    it('above twice its mean of seven days it is paused until the next day, and a note says so; each day is in the mean for seven', async () => {
      await start({ country_floor: 4 })
      for (let day = 0; day < 7; day++) {
        expect(
          statuses(await send(4)).every((status) => status === 200),
          `day ${String(day)}`,
        ).to.equal(true)
        clock.advance(DAY_MS)
      }
      // A mean of 4.
      expect(statuses(await send(8)).every((status) => status === 200)).to.equal(true)
      const [paused] = await send(1)
      refusedBy(paused ?? expect.fail('no answer'), 'country_factor')
      expect(paused?.json<{ metadata: { notes: string[] } }>().metadata.notes.join()).to.match(
        /^Messages to DE are paused until \d{4}-\d\d-\d\dT00:00:00Z: .*8 messages today, 4\.0 a day in the last 7 days/,
      )
      clock.advance(DAY_MS)
      // (6 * 4 + 8) / 7 = 4.57, so nine are allowed.
      expect(statuses(await send(10))).to.deep.equal([...Array<number>(9).fill(200), 429])
      clock.advance(8 * DAY_MS)
      expect(statuses(await send(5)), 'all days are forgotten').to.deep.equal([200, 200, 200, 200, 429])
    })

    it('without a past it has its floor, and with a factor of 0 it is never paused', async () => {
      await start({ country_floor: 2 })
      expect(statuses(await send(3))).to.deep.equal([200, 200, 429])
      await world?.close()
      await start({ country_floor: 2, country_factor: 0, per_country_per_day: 5 })
      const replies = await send(6)
      expect(statuses(replies)).to.deep.equal([200, 200, 200, 200, 200, 429])
      refusedBy(replies[5] ?? expect.fail('no answer'), 'per_country_per_day')
    })
  })
})

describe('caps of messages over two replicas', function () {
  this.timeout(120_000)
  const site = new Site()
  let vendors: MessageVendors
  let one: Replica
  let two: Replica
  before(async function () {
    await site.open(this)
    await site.empty()
    vendors = await MessageVendors.start()
    const file = limited({
      per_number_per_10_minutes: 5,
      per_number_per_day: 5,
      per_prefix_per_day: 12,
      per_account_per_day: 20,
      country_floor: 25,
    })
    const replica = (): Promise<Replica> => site.replica({ bundled: true, file, env: vendors.env(), overrides: { clock: systemClock } })
    one = await replica()
    two = await replica()
  })
  after(async () => {
    await site.end()
    await site.close()
    await vendors?.close()
  })
  beforeEach(() => {
    vendors.received.length = 0
  })
  /** Sends to each number at once, half by one replica and half by the other. */
  const both = async (numbers: readonly string[], key: string): Promise<number> => {
    const replies = await Promise.all(
      numbers.map((to, place) =>
        (place % 2 === 0 ? one : two).send('/v1/messages/send', { method: 'POST', body: { to, message: 'Hello' }, key }),
      ),
    )
    expect(new Set(statuses(replies)), replies.map(({ text }) => text).find((text) => !text.includes('cap of')) ?? '').to.deep.equal(
      new Set([200, 429]),
    )
    return statuses(replies).filter((status) => status === 200).length
  }

  it('both together send what a number, its neighbours, an account and a country may have, and not one more', async () => {
    const { key } = await one.newAccount(100)
    expect(await both(Array<string>(12).fill(german(0)), key), 'one number').to.equal(5)
    expect(
      await both(
        Array.from({ length: 14 }, (_, place) => german(place + 1)),
        key,
      ),
      'its neighbours',
    ).to.equal(7)
    const apart = (from: number): string[] => Array.from({ length: 12 }, (_, place) => german((from + place) * 10_000))
    expect(await both(apart(10), key), 'the account').to.equal(8)
    const { key: other } = await two.newAccount(100)
    expect(await both(apart(40), other), 'the country').to.equal(5)
    expect(vendors.received).to.have.length(25)
  })

  it('numbers do not lie in Redis', async () => {
    const keys = await site.redis.admin.keys('*')
    expect(keys.some((name) => name.startsWith('capstan:cap:'))).to.equal(true)
    expect(keys.join()).not.to.match(/49171/)
  })
})
