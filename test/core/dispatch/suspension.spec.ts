import { expect } from 'chai'
import { type LocalTry, SUSPENSION_TIMES, Suspensions } from '../../../core/dispatch/suspension.js'
import type { FaultKind, FaultOptions } from '../../../core/sdk/index.js'
import { logInto, type LogLine } from '../../support/log-lines.js'
import { HandClock } from '../../support/outbound.js'
import { Fault, type Behaviour } from '../../support/test-plugin.js'
import { bench, errorOf, failing, outcomes, saying, settle } from '../../support/unit.js'

const ID = 'port/vendor'

function parts() {
  const clock = new HandClock()
  const suspensions = new Suspensions(clock)
  const fail = (kind: FaultKind, options: FaultOptions = {}, about: { local?: LocalTry | false; started?: number } = {}): void =>
    suspensions.failed(ID, new Fault(kind, `it was ${kind}`, options), { started: clock.monotonic(), local: false, ...about })
  const succeed = (started = clock.monotonic()): void => suspensions.succeeded(ID, started)
  /** How long it is suspended, by checks at every relevant millisecond boundary. */
  const outFor = (ms: number): void => {
    clock.advance(ms - 1)
    expect(suspensions.admit(ID), `after ${ms - 1} ms`).to.equal('suspended')
    clock.advance(1)
    expect(suspensions.admit(ID), `after ${ms} ms`).to.equal('probe')
  }
  return { clock, suspensions, fail, succeed, outFor }
}

describe('suspension of providers', () => {
  it('F-19 suspends a busy vendor for its Retry-After, at most a minute, and five seconds when it said nothing', () => {
    for (const [retryAfter, out] of [
      [undefined, 5_000],
      [2, 2_000],
      [60, 60_000],
      [3_600, 60_000],
    ] as const) {
      const { fail, outFor } = parts()
      fail('busy', retryAfter === undefined ? {} : { retryAfterSeconds: retryAfter })
      outFor(out)
    }
  })

  it('takes a vendor out for an hour when its account is used up or its key refused', () => {
    for (const kind of ['quota', 'credentials'] as const) {
      const { fail, outFor } = parts()
      fail(kind)
      outFor(3_600_000)
    }
  })

  it('F-18 takes a broken vendor out after five failures in a row', () => {
    const { suspensions, fail, outFor } = parts()
    for (let count = 0; count < 4; count++) fail('broken')
    expect(suspensions.admit(ID)).to.equal('go')
    fail('broken')
    outFor(30_000)
  })

  it('F-18 takes a vendor out when five of its last ten tries were broken, though others had an answer in between', () => {
    const { suspensions, fail, succeed, outFor } = parts()
    for (let count = 0; count < 4; count++) {
      fail('broken')
      if (count % 2 === 0) succeed()
      else fail('missing')
    }
    expect(suspensions.admit(ID)).to.equal('go')
    fail('broken')
    outFor(30_000)
  })

  it('forgets broken tries that ten later ones have pushed out, and all of them once it was brought back', () => {
    const { clock, suspensions, fail, succeed } = parts()
    for (let count = 0; count < 4; count++) fail('broken')
    for (let count = 0; count < 10; count++) succeed()
    for (let count = 0; count < 4; count++) fail('broken')
    expect(suspensions.admit(ID)).to.equal('go')
    fail('broken')
    clock.advance(30_000)
    expect(suspensions.admit(ID)).to.equal('probe')
    succeed()
    for (let count = 0; count < 4; count++) fail('broken')
    expect(suspensions.admit(ID)).to.equal('go')
  })

  it('a late answer of a try that began before neither lifts a suspension nor worsens it', () => {
    for (const kind of ['quota', 'credentials', 'busy'] as const) {
      const { clock, suspensions, fail, succeed } = parts()
      const started = clock.monotonic()
      clock.advance(100)
      fail(kind)
      const before = suspensions.list()
      succeed(started)
      for (const late of ['missing', 'blocked', 'invalid', 'busy', 'quota', 'broken'] as const) fail(late, {}, { started })
      expect(suspensions.list(), kind).to.deep.equal(before)
      expect(suspensions.admit(ID), kind).to.equal('suspended')
    }
  })

  it('a late answer of an older try neither ends nor fails a probe, nor suspends a vendor that was brought back', () => {
    const { clock, suspensions, fail, succeed } = parts()
    const started = clock.monotonic()
    clock.advance(100)
    fail('busy')
    clock.advance(5_000)
    expect(suspensions.admit(ID)).to.equal('probe')
    suspensions.abandoned(ID, started)
    fail('quota', {}, { started })
    expect(suspensions.admit(ID)).to.equal('suspended')
    succeed()
    fail('quota', {}, { started })
    expect(suspensions.admit(ID)).to.equal('go')
    fail('quota')
    expect(suspensions.admit(ID)).to.equal('suspended')
  })

  it('its own report to other replicas, read back with an end that differs a little, does not end its probe', () => {
    const { clock, suspensions, fail, succeed } = parts()
    fail('quota')
    suspensions.force(ID)
    const started = clock.monotonic()
    clock.advance(500)
    suspensions.adopt(ID, { why: 'it was quota', msLeft: 3_599_520, rounds: 0 })
    expect(suspensions.soonest([ID])).to.equal(undefined, 'one probe at a time')
    succeed(started)
    expect(suspensions.admit(ID)).to.equal('go')
  })

  it('a suspension taken over from another replica is kept when tries that began here before it succeed', () => {
    const { clock, suspensions, succeed } = parts()
    const started = clock.monotonic()
    clock.advance(100)
    suspensions.adopt(ID, { why: 'quota', msLeft: 60_000, rounds: 0 })
    succeed(started)
    expect(suspensions.admit(ID)).to.equal('suspended')
  })

  it("an operator's resume is not undone by what older tries say", () => {
    const { clock, suspensions, fail } = parts()
    const started = clock.monotonic()
    clock.advance(100)
    fail('credentials')
    suspensions.resume(ID)
    fail('credentials', {}, { started })
    expect(suspensions.admit(ID)).to.equal('go')
  })

  it('lets one probe through when the time is over, and everybody once it succeeded', () => {
    const { clock, suspensions, fail } = parts()
    fail('busy')
    clock.advance(5_000)
    expect([suspensions.admit(ID), suspensions.admit(ID)]).to.deep.equal(['probe', 'suspended'])
    suspensions.succeeded(ID, clock.monotonic())
    expect([suspensions.admit(ID), suspensions.admit(ID)]).to.deep.equal(['go', 'go'])
  })

  it('a probe that never ends blocks for half a minute only', () => {
    const { clock, suspensions, fail } = parts()
    fail('busy')
    clock.advance(5_000)
    suspensions.admit(ID)
    clock.advance(29_999)
    expect(suspensions.admit(ID)).to.equal('suspended')
    clock.advance(1)
    expect(suspensions.admit(ID)).to.equal('probe')
  })

  it('doubles the time with each failed probe of a broken vendor, up to ten minutes', () => {
    const { fail, outFor } = parts()
    for (let count = 0; count < 5; count++) fail('broken')
    for (const ms of [30_000, 60_000, 120_000, 240_000, 480_000, 600_000, 600_000]) {
      outFor(ms)
      fail('broken')
    }
  })

  it('failures of calls that were already running do not lengthen the time', () => {
    const { clock, fail, outFor } = parts()
    for (let count = 0; count < 25; count++) fail('broken')
    outFor(30_000)
    fail('broken')
    clock.advance(10)
    for (let count = 0; count < 20; count++) fail('broken')
    outFor(59_990)
  })

  it('a shorter reason does not cut a longer suspension', () => {
    const { fail, outFor, suspensions } = parts()
    fail('quota')
    fail('busy', { retryAfterSeconds: 1 })
    expect(suspensions.list()[0]?.why).to.equal('it was quota')
    outFor(3_600_000)
  })

  it('a probe the vendor answered sensibly brings it back, though nothing was found', () => {
    for (const kind of ['missing', 'blocked', 'invalid'] as const) {
      const { clock, suspensions, fail } = parts()
      fail('quota')
      clock.advance(3_600_000)
      suspensions.admit(ID)
      fail(kind)
      expect(suspensions.admit(ID)).to.equal('go')
    }
  })

  it('takes a local provider out for its own breakage, never for being busy or for its target', async () => {
    for (const kind of ['busy', 'blocked', 'missing', 'invalid'] as const) {
      const { suspensions, fail } = parts()
      for (let count = 0; count < 20; count++) fail(kind, {}, { local: { account: 'a', check: null } })
      expect(suspensions.admit(ID), kind).to.equal('go')
      expect(suspensions.list(), kind).to.deep.equal([])
    }
    const { suspensions, fail } = parts()
    for (let count = 0; count < 5; count++) fail('broken', {}, { local: { account: 'a', check: null } })
    await settle()
    expect(suspensions.admit(ID)).to.equal('suspended')
  })

  it("keeps an operator's suspension through success, failure and time until it is resumed", () => {
    const { clock, suspensions, fail } = parts()
    suspensions.suspend(ID, 'costs too much')
    suspensions.succeeded(ID, clock.monotonic())
    fail('missing')
    fail('busy')
    clock.advance(10 * 86_400_000)
    expect(suspensions.admit(ID)).to.equal('suspended')
    expect(suspensions.list()).to.deep.include({ id: ID, why: 'costs too much', until: Infinity, manual: true })
    expect(suspensions.resume(ID)).to.equal(true)
    expect(suspensions.admit(ID)).to.equal('go')
    expect(suspensions.list()).to.deep.equal([])
  })

  it('the log names each suspension with its time and reason, and each resumption', () => {
    const clock = new HandClock()
    const lines: LogLine[] = []
    const suspensions = new Suspensions(clock, SUSPENSION_TIMES, logInto(lines))
    const id = 'search.serp/serper'
    suspensions.succeeded(id, clock.monotonic())
    suspensions.failed(id, new Fault('quota', 'The quota is used up.'), { started: clock.monotonic(), local: false })
    suspensions.resume(id)
    suspensions.resume(id)
    const byHand = new Map([[id, 'too dear']])
    suspensions.setManual(byHand)
    suspensions.setManual(byHand)
    suspensions.setManual(new Map())
    suspensions.adopt(id, { why: 'as another replica says', msLeft: 30_000, rounds: 1 })
    const common = { port: 'search.serp', provider: 'serper' }
    const seconds = SUSPENSION_TIMES.quota / 1000
    expect(lines.map(({ event, message, fields }) => [event, message, fields])).to.deep.equal([
      ['provider-suspended', `provider serper of search.serp is suspended for ${seconds} s: The quota is used up.`, { ...common, seconds }],
      ['provider-resumed', 'provider serper of search.serp is resumed', common],
      ['provider-suspended', 'provider serper of search.serp is suspended until it is resumed: too dear', { ...common, manual: true }],
      ['provider-resumed', 'provider serper of search.serp is resumed', common],
      ['provider-suspended', 'provider serper of search.serp is suspended for 30 s: as another replica says', { ...common, seconds: 30 }],
    ])
  })

  it('resuming says whether it was out', () => {
    const { suspensions, fail } = parts()
    expect(suspensions.resume(ID)).to.equal(false)
    fail('broken')
    expect(suspensions.resume(ID)).to.equal(false, 'one failure is no suspension')
    fail('quota')
    expect(suspensions.resume(ID)).to.equal(true)
  })

  it('lists what is out with the reason and the wall-clock time of its end', () => {
    const { clock, suspensions, fail } = parts()
    fail('busy', { retryAfterSeconds: 10 })
    clock.advance(4_000)
    expect(suspensions.list()).to.deep.equal([{ id: ID, why: 'it was busy', until: clock.now() + 6_000, manual: false }])
    clock.advance(6_000)
    expect(suspensions.list()).to.deep.equal([])
  })

  it('names the one whose time is over first, never one the operator took out or that is being probed', () => {
    const clock = new HandClock()
    const suspensions = new Suspensions(clock)
    suspensions.failed('a', new Fault('quota', 'x'), { started: clock.monotonic(), local: false })
    suspensions.failed('b', new Fault('busy', 'x'), { started: clock.monotonic(), local: false })
    suspensions.suspend('c', 'x')
    expect(suspensions.soonest(['a', 'b', 'c'])).to.equal('b')
    suspensions.force('b')
    expect(suspensions.soonest(['a', 'b', 'c'])).to.equal('a')
    expect(suspensions.soonest(['c', 'unknown'])).to.equal(undefined)
  })
})

describe('a probe that is given up', () => {
  it('does not block the next one', () => {
    const { clock, suspensions, fail } = parts()
    fail('busy')
    clock.advance(5_000)
    expect(suspensions.admit(ID)).to.equal('probe')
    expect(suspensions.admit(ID)).to.equal('suspended')
    suspensions.abandoned(ID, clock.monotonic())
    expect(suspensions.admit(ID)).to.equal('probe')
  })
})

describe('the waterfall with suspended providers', () => {
  it('passes a suspended vendor over and says so', async () => {
    const kit = bench({
      'test.echo': [
        { vendor: 'one', run: failing('quota') },
        { vendor: 'two', run: saying('x') },
      ],
    })
    await kit.ask(kit.call())
    const call = kit.call()
    await kit.ask(call)
    expect(call.attempts[0]).to.deep.include({ provider: 'one', outcome: 'skipped', reason: 'suspended' })
    expect(outcomes(call.attempts)).to.deep.equal(['one skipped', 'two ok'])
  })

  it('with all suspended sends one probe to the one whose time is over first', async () => {
    const state = { works: false }
    const run = (name: string) => (): Promise<{ text: string }> =>
      state.works
        ? (saying(name)({ text: '', mode: '' }, undefined as never) as Promise<{ text: string }>)
        : Promise.reject(new Fault(name === 'one' ? 'quota' : 'busy', 'x'))
    const kit = bench({
      'test.echo': [
        { vendor: 'one', run: run('one') },
        { vendor: 'two', run: run('two') },
      ],
    })
    await errorOf(kit.ask(kit.call()))
    state.works = true
    const call = kit.call()
    expect((await kit.ask(call)).provider).to.equal('two')
    expect(outcomes(call.attempts)).to.deep.equal(['one skipped', 'two skipped', 'two ok'])
    expect(call.contributors('')).to.deep.equal(['two'])
    expect(kit.suspensions.list().map(({ id }) => id)).to.deep.equal(['test.echo/one'])
  })

  it('with all suspended one call at a time goes out: the others are refused with a time to retry, and no vendor is called for them', async () => {
    let called = 0
    let answer: () => void = () => undefined
    let run: Behaviour = failing('quota')
    const kit = bench({ 'test.echo': [{ vendor: 'one', run: (input, context) => run(input, context) }] })
    await errorOf(kit.ask(kit.call()))
    run = () => {
      called++
      return new Promise((resolve) => (answer = () => resolve({ text: 'back' })))
    }
    const first = kit.ask(kit.call())
    await settle()
    for (let count = 0; count < 5; count++) {
      const error = await errorOf(kit.ask(kit.call()))
      expect(Fault.is(error) && [error.kind, error.retryAfterSeconds]).to.deep.equal(['busy', 5])
    }
    expect(called).to.equal(1)
    answer()
    expect((await first).provider).to.equal('one')
    const next = kit.ask(kit.call())
    await settle()
    answer()
    expect([(await next).provider, called]).to.deep.equal(['one', 2])
  })

  it('an answer to a call that began before the suspension lets nobody through', async () => {
    let answer: () => void = () => undefined
    let run: Behaviour = () => new Promise((resolve) => (answer = () => resolve({ text: 'late' })))
    const kit = bench({
      'test.echo': [
        { vendor: 'one', run: (input, context) => run(input, context) },
        { vendor: 'two', run: saying('x') },
      ],
    })
    const early = kit.ask(kit.call())
    await settle()
    kit.clock.advance(100)
    run = failing('quota')
    await kit.ask(kit.call())
    answer()
    expect((await early).provider).to.equal('one')
    const call = kit.call()
    await kit.ask(call)
    expect(outcomes(call.attempts)).to.deep.equal(['one skipped', 'two ok'])
  })

  it('sends nothing where the operator took every vendor out, and says busy', async () => {
    let called = 0
    const kit = bench({ 'test.echo': [{ vendor: 'one', run: () => Promise.resolve({ text: String(++called) }) }] })
    kit.suspensions.suspend('test.echo/one', 'by hand')
    const error = await errorOf(kit.ask(kit.call()))
    expect(Fault.is(error) && error.kind).to.equal('busy')
    expect(Fault.is(error) && error.retryAfterSeconds).to.equal(5)
    expect(called).to.equal(0)
  })
})
