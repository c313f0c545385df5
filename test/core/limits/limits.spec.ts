import { expect } from 'chai'
import sinon from 'sinon'
import { Cancel } from '../../../core/runtime/cancel.js'
import { systemClock } from '../../../core/runtime/clock.js'
import { addressRange, inList, parseRange } from '../../../core/runtime/address-range.js'
import { FailedLogins } from '../../../core/accounts/login-guard.js'
import { MemoryRateLimit, rateLimited } from '../../../core/limits/rate.js'
import { processLoad, Shedder } from '../../../core/limits/shedding.js'
import { WorkSlots } from '../../../core/limits/slots.js'
import { Problem } from '../../../core/problems/problem.js'
import { HandClock } from '../../support/outbound.js'
import { errorOf, settle } from '../../support/unit.js'

const caught = (work: () => void): Problem | null => {
  try {
    work()
    return null
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

describe('slots for heavy work', () => {
  const slots = (clock: HandClock) => new WorkSlots(clock, { browser: 1, code: 1, media: 1 })
  const cancelOn = (clock: HandClock, ms = 60_000) => new Cancel(clock, clock.monotonic() + ms)

  it('are there for each class by itself, and light work needs none', async () => {
    const clock = new HandClock()
    const work = slots(clock)
    const leave = await work.enter('browser', cancelOn(clock))
    for (let count = 0; count < 50; count++) await work.enter('light', cancelOn(clock))
    await work.enter('code', cancelOn(clock))
    await work.enter('media', cancelOn(clock))
    const next = work.enter('browser', cancelOn(clock))
    leave()
    await next
  })

  it('are refused as overloaded with the name of the setting and the time after which it is worth trying again', async () => {
    const clock = new HandClock()
    const work = slots(clock)
    for (let run = 0; run < 3; run++) {
      const leave = await work.enter('browser', cancelOn(clock))
      clock.advance(8_000)
      leave()
    }
    await work.enter('browser', cancelOn(clock))
    void work.enter('browser', cancelOn(clock)).catch(() => undefined)
    const refused = await errorOf(work.enter('browser', cancelOn(clock)))
    expect(refused instanceof Problem && [refused.slug, refused.options.retryAfterSeconds]).to.deep.equal(['overloaded', 8])
    expect(refused.message).to.contain('limits.browser_slots')
  })
})

describe('load shedding', () => {
  it('refuses heavy work at the first bad measurement, all at the second, nothing after a good one or at a single delay', () => {
    const clock = new HandClock()
    const load = { delayMs: 0, heapShare: 0, residentShare: 0 }
    const shedder = new Shedder(clock, () => ({ ...load }))
    const admits = (): boolean[] => [true, false].map((heavy) => caught(() => shedder.admit(heavy)) === null)
    expect(admits()).to.deep.equal([true, true])
    load.delayMs = 251
    clock.advance(1_000)
    expect(admits(), 'a single delay').to.deep.equal([true, true])
    clock.advance(1_000)
    expect(admits()).to.deep.equal([false, true])
    clock.advance(1_000)
    expect(admits()).to.deep.equal([false, false])
    expect(caught(() => shedder.admit(false))).to.deep.include({ slug: 'overloaded' })
    load.delayMs = 250
    load.heapShare = 0.85
    clock.advance(1_000)
    expect(admits()).to.deep.equal([true, true])
    load.heapShare = 0.86
    clock.advance(1_000)
    expect(admits()).to.deep.equal([false, true])
    expect(shedder.load).to.deep.equal({ delayMs: 250, heapShare: 0.86, residentShare: 0 })
    Object.assign(load, { heapShare: 0, residentShare: 0.85 })
    clock.advance(1_000)
    expect(admits()).to.deep.equal([true, true])
    load.residentShare = 0.86
    clock.advance(1_000)
    expect(admits(), 'A2 resident memory').to.deep.equal([false, true])
    shedder.close()
    load.residentShare = 0
    clock.advance(10_000)
    expect(admits(), 'no check after the close').to.deep.equal([false, true])
  })

  it('refuses everything while the gateway stops', () => {
    const shedder = new Shedder(new HandClock(), () => ({ delayMs: 0, heapShare: 0, residentShare: 0 }))
    shedder.draining = true
    expect(caught(() => shedder.admit(false))?.message).to.contain('stopping')
  })

  it('measures this process', () => {
    const { measure, close } = processLoad(() => 1024 ** 4)
    const load = measure()
    close()
    expect(load.delayMs).to.be.at.least(0)
    expect(load.heapShare).to.be.within(0.0001, 1)
    expect(load.residentShare * 1024 ** 4).to.be.within(30e6, 8e9)
  })

  it('watches the loop only while it has work, so that a gateway at rest is not woken', () => {
    const calls: string[] = []
    const loop = { active: 0, idle: 0 }
    const histogram = {
      enable: () => calls.push('enable') > 0,
      disable: () => calls.push('disable') > 0,
      reset: () => undefined,
      percentile: () => 600e6,
    }
    const { measure } = processLoad(() => 1024 ** 4, { histogram, loop: () => ({ ...loop }) })
    const after = (active: number, idle: number): number => {
      loop.active += active
      loop.idle += idle
      return measure().delayMs
    }
    expect(after(5, 995), 'at rest').to.equal(0)
    expect(calls).to.deep.equal([])
    expect(after(900, 700), 'a blocked event loop that delayed the check, at the end of the pause').to.equal(600)
    expect(after(900, 100), 'busy').to.equal(500)
    expect(after(50, 950), 'the last second of work').to.equal(500)
    expect(after(5, 995), 'at rest again').to.equal(0)
    expect(calls).to.deep.equal(['enable', 'disable'])
  })
})

describe('addresses', () => {
  it('count as one visitor by IPv4 address or IPv6 /64', () => {
    expect(addressRange('192.0.2.7')).to.equal('192.0.2.7')
    expect(addressRange('::ffff:192.0.2.7')).to.equal('192.0.2.7')
    expect(addressRange('2001:db8:1:2::1')).to.equal(addressRange('2001:db8:1:2:ffff:ffff:ffff:ffff'))
    expect(addressRange('2001:db8:1:2::1')).not.to.equal(addressRange('2001:db8:1:3::1'))
    expect(addressRange('not an address')).to.equal('not an address')
  })

  it('are found in a list of addresses and networks', () => {
    const list = ['192.0.2.0/24', '2001:db8::/32', '198.51.100.9']
    expect(['192.0.2.200', '::ffff:192.0.2.1', '2001:db8:ffff::1', '198.51.100.9'].map((address) => inList(address, list))).to.deep.equal([
      true,
      true,
      true,
      true,
    ])
    expect(['192.0.3.1', '2001:db9::1', '198.51.100.8', 'nonsense', ''].map((address) => inList(address, list))).to.deep.equal([
      false,
      false,
      false,
      false,
      false,
    ])
    expect(inList('192.0.2.1', [])).to.equal(false)
  })

  it('that cannot be read are refused by name', () => {
    expect(parseRange('192.0.2.1')[1]).to.equal(32)
    expect(parseRange('2001:db8::1')[1]).to.equal(128)
    for (const bad of ['', 'localhost', '192.0.2.0/33', '192.0.2.0/', '1.2.3.4.5'])
      expect(() => parseRange(bad), bad).to.throw(RangeError, `"${bad}"`)
  })
})

describe('limits over time', () => {
  let timers: sinon.SinonFakeTimers
  beforeEach(() => {
    timers = sinon.useFakeTimers({
      now: Date.UTC(2026, 0, 1),
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
    })
    timers.tick(1_000)
  })
  afterEach(() => timers.restore())

  it('counts requests in a minute that begins with the first, each id and limit for itself', async () => {
    const rates = new MemoryRateLimit(systemClock)
    const now = Math.ceil(Date.now() / 1000)
    expect(await rates.peek('k', 3)).to.deep.equal({ limit: 3, remaining: 3, reset: now + 60 })
    const seen = []
    for (let count = 0; count < 4; count++) seen.push(await rates.consume('k', 3))
    expect(seen.map(({ state, exceeded }) => [state.remaining, exceeded])).to.deep.equal([
      [2, false],
      [1, false],
      [0, false],
      [0, true],
    ])
    expect(seen[3]).to.deep.include({ waitSeconds: 60 })
    expect(await rates.consume('other', 3)).to.deep.include({ exceeded: false })
    expect((await rates.peek('k', 3)).remaining).to.equal(0)
    timers.tick(59_999)
    expect(await rates.consume('k', 3)).to.deep.include({ exceeded: true, waitSeconds: 1 })
    timers.tick(1)
    expect(await rates.consume('k', 3)).to.deep.include({ exceeded: false })
  })

  it('addresses, of which anybody has as many as he likes, drive no key out of the memory of a limit', async () => {
    const rates = new MemoryRateLimit(systemClock)
    for (let count = 0; count < 61; count++) await rates.consume('key:a', 60)
    for (let count = 0; count < 100_001; count++) await rates.consume(`ip:2001:db8::${count.toString(16)}`, 600)
    expect(await rates.consume('key:a', 60)).to.deep.include({ exceeded: true })
    expect((await rates.peek('ip:2001:db8::0', 600)).remaining, 'the address of longest ago gave way').to.equal(600)
  }).timeout(30_000)

  it('T-75 F-34 a clock that jumps back keeps nobody waiting longer than a minute', async () => {
    const rates = new MemoryRateLimit(systemClock)
    await rates.consume('k', 1)
    timers.setSystemTime(Date.now() - 3_600_000)
    const refused = await rates.consume('k', 1)
    expect(refused).to.deep.include({ exceeded: true, waitSeconds: 60 })
    expect(refused.state.reset).to.equal(Math.ceil(Date.now() / 1000) + 60)
    timers.tick(60_000)
    expect(await rates.consume('k', 1)).to.deep.include({ exceeded: false })
    expect(rateLimited(1, 7, 'key').options.retryAfterSeconds).to.equal(7)
    expect(rateLimited(1, 7, 'address').message).to.contain('address')
  })

  it('failed logins block an address (and its whole /64), but not a key that worked from there', async () => {
    const guard = new FailedLogins(systemClock, { most: 3, windowSeconds: 900 })
    guard.worked('2001:db8::1', 'good')
    for (let count = 0; count < 3; count++) {
      expect(caught(() => guard.admit('2001:db8::2', 'guess'))).to.equal(null)
      guard.failed(`2001:db8::${count}`)
      await settle()
    }
    const refused = caught(() => guard.admit('2001:db8::ffff', 'guess'))
    expect([refused?.slug, refused?.options.retryAfterSeconds]).to.deep.equal(['rate-limited', 900])
    expect(caught(() => guard.admit('2001:db8::9', 'good'))).to.equal(null)
    expect(caught(() => guard.admit('192.0.2.1', 'guess'))).to.equal(null)
    expect(caught(() => guard.refuseBlocked('2001:db8::9'))?.slug).to.equal('rate-limited')
    timers.tick(900_002)
    expect(caught(() => guard.admit('2001:db8::9', 'guess'))).to.equal(null)
    timers.tick(86_400_000)
    for (let count = 0; count < 3; count++) guard.failed('2001:db8::1')
    await settle()
    expect(caught(() => guard.admit('2001:db8::1', 'good'))?.slug).to.equal('rate-limited', 'remembered for a day only')
  })

  it('a flood of failures from everywhere closes the valve for unknown keys, for a second', () => {
    const guard = new FailedLogins(systemClock, { most: 20, windowSeconds: 900 })
    guard.worked('192.0.2.1', 'good')
    for (let count = 0; count < 1_000; count++) guard.failed(`10.${count >> 8}.${count & 255}.1`)
    expect(caught(() => guard.admit('192.0.2.1', 'guess'))?.options.retryAfterSeconds).to.equal(1)
    expect(caught(() => guard.admit('192.0.2.1', 'good'))).to.equal(null)
    timers.tick(1_000)
    expect(caught(() => guard.admit('192.0.2.1', 'guess'))).to.equal(null)
  })
})
