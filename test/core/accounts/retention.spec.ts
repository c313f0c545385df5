import { expect } from 'chai'
import { StoreUnavailable } from '../../../core/store/types.js'
import { Retention } from '../../../core/accounts/retention.js'
import { HandClock } from '../../support/outbound.js'
import { logInto, type LogLine } from '../../support/log-lines.js'
import { settle } from '../../support/unit.js'

const DAY = 86_400_000
const HOUR = 3_600_000
const MINUTE = 60_000

describe('the retention of call histories', () => {
  /** A ledger with so many old entries in each trim. */
  function parts(answers: (number | Error | Promise<number>)[], days = 90, lease: { free: boolean } = { free: true }) {
    const hand = new HandClock()
    const taken: [string, string, number][] = []
    const take = (name: string, instance: string, _now: number, ttl: number) => (
      taken.push([name, instance, ttl]),
      Promise.resolve(lease.free)
    )
    const trims: number[] = []
    const logs: LogLine[] = []
    const trim = async ({ before }: { before: number }) => {
      trims.push(before)
      const answer = answers.shift() ?? 0
      if (answer instanceof Error) throw answer
      return await answer
    }
    const retention = new Retention({ ledger: { trim }, leases: { take } }, hand, {
      instance: 'gw',
      days,
      log: logInto(logs),
    })
    const wait = async (ms: number) => {
      hand.advance(ms)
      await settle()
    }
    return { hand, retention, trims, logs, taken, wait }
  }

  it('begins five minutes after the start and goes on every hour, with the days set', async () => {
    const { hand, retention, trims, logs, wait } = parts([])
    const begin = hand.now()
    retention.start()
    await wait(5 * MINUTE - 1)
    expect(trims).to.deep.equal([])
    await wait(1)
    await wait(HOUR - 1)
    expect(trims).to.deep.equal([begin + 5 * MINUTE - 90 * DAY])
    await wait(1)
    expect(trims).to.deep.equal([begin + 5 * MINUTE - 90 * DAY, begin + 5 * MINUTE + HOUR - 90 * DAY])
    expect(logs, 'nothing was old, so nothing is said').to.deep.equal([])
  })

  it('is one gateway of several: nothing is trimmed without the lease, and a long run goes on saying that it is at work', async () => {
    const lease = { free: false }
    const { retention, trims, taken, wait } = parts(Array<number>(2_000).fill(1), 90, lease)
    retention.start()
    await wait(5 * MINUTE)
    expect(trims).to.deep.equal([])
    expect(taken).to.deep.equal([['retention', 'gw', 60_000]])
    lease.free = true
    await wait(HOUR)
    for (let step = 0; step < 1_300; step++) await wait(50)
    expect(taken).to.have.length(4)
    lease.free = false
    for (let step = 0; step < 1_300; step++) await wait(50)
    expect(trims.length, 'another gateway has taken over').to.be.below(2_000)
    await retention.close()
  })

  it('goes on until none is left, with a pause after each trim and one time for all, and says the sum in one line', async () => {
    const { retention, trims, logs, wait } = parts([500, 500, 20])
    retention.start()
    await wait(5 * MINUTE)
    expect(trims).to.have.length(1)
    await wait(49)
    expect(trims, 'the pause belongs to the calls').to.have.length(1)
    for (const ms of [1, 50, 50, 50]) await wait(ms)
    expect(trims).to.have.length(4)
    expect(new Set(trims).size).to.equal(1)
    expect(logs).to.deep.equal([
      { level: 'info', event: 'details-deleted', message: 'deleted details of old calls', fields: { entries: 1020, older_than_days: 90 } },
    ])
  })

  it('runs once at a time: an hour that finds the last run at work begins none', async () => {
    let finish: (count: number) => void = () => undefined
    const { retention, trims, wait } = parts([new Promise<number>((resolve) => void (finish = resolve))])
    retention.start()
    await wait(5 * MINUTE)
    await wait(HOUR)
    await wait(HOUR)
    expect(trims).to.have.length(1)
    finish(0)
    await settle()
    await wait(HOUR)
    expect(trims).to.have.length(2)
  })

  it('F-02 a store that is away is waited out until the next hour and said once; what was done before counts', async () => {
    const { retention, trims, logs, wait } = parts([500, new StoreUnavailable('away'), 7])
    retention.start()
    await wait(5 * MINUTE)
    await wait(50)
    expect(logs.map(({ level, message }) => `${level}: ${message}`)).to.deep.equal([
      'warn: details of old calls could not be deleted; trying again in an hour',
      'info: deleted details of old calls',
    ])
    expect(logs[1]?.fields).to.include({ entries: 500 })
    await wait(HOUR - 51)
    expect(trims, 'no hot loop').to.have.length(2)
    await wait(1)
    await wait(50)
    expect(trims).to.have.length(4)
    expect(logs).to.have.length(3)
  })

  it('0 days keep everything for ever', async () => {
    const { retention, trims, wait } = parts([500], 0)
    retention.start()
    for (let count = 0; count < 5; count++) await wait(HOUR)
    expect(trims).to.deep.equal([])
    await retention.close()
  })

  for (const ms of [400 * DAY, -5_001])
    it(`F-34 a clock that jumps by ${ms} ms makes nothing forgotten for an hour`, async () => {
      const { hand, retention, trims, logs, wait } = parts([])
      retention.start()
      hand.jump(ms)
      await wait(5 * MINUTE)
      expect(trims).to.deep.equal([])
      expect(logs.map(({ message }) => message)).to.deep.equal(['the clock jumped; no details are deleted for an hour'])
      hand.jump(0 - ms)
      await wait(HOUR)
      expect(trims, 'it was set right: another jump').to.deep.equal([])
      await wait(HOUR)
      expect(trims).to.have.length(1)
    })

  it('F-34 small drift stops nothing', async () => {
    const { hand, retention, trims, wait } = parts([])
    retention.start()
    hand.jump(4_999)
    await wait(5 * MINUTE)
    expect(trims).to.have.length(1)
  })

  it('a close waits for the trim under way, cuts the pause short, and lets no other begin', async () => {
    let finish: (count: number) => void = () => undefined
    const { retention, trims, wait } = parts([500, new Promise<number>((resolve) => void (finish = resolve))])
    retention.start()
    await wait(5 * MINUTE)
    await wait(50)
    expect(trims).to.have.length(2)
    let closed = false
    const close = retention.close().then(() => void (closed = true))
    await settle()
    expect(closed).to.equal(false)
    finish(500)
    await close
    await wait(HOUR)
    expect(trims).to.have.length(2)

    const paused = parts([500, 500])
    paused.retention.start()
    await paused.wait(5 * MINUTE)
    await paused.retention.close()
    await paused.wait(HOUR)
    expect(paused.trims).to.have.length(1)
  })
})
