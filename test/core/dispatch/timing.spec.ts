import { expect } from 'chai'
import { systemClock } from '../../../core/runtime/clock.js'
import { Stopped } from '../../../core/problems/errors.js'
import { vendor, Type } from '../../../core/sdk/index.js'
import { httpServer } from '../../../core/sdk/testkit/servers.js'
import { echo, Fault, httpProvider, loadedProvider } from '../../support/test-plugin.js'
import { bench, errorOf, outcomes, saying, settle, silent } from '../../support/unit.js'
import { atMost, until, waited } from '../../support/time.js'

describe('time in the waterfall', () => {
  it('F-17 leaves a slow vendor when its own time is over and calls the next', async () => {
    const kit = bench({
      'test.echo': [
        { vendor: 'slow', run: silent, timeoutMs: 1_000 },
        { vendor: 'two', run: saying('fast') },
      ],
    })
    const call = kit.call(5_000)
    const answer = kit.ask(call)
    await settle()
    kit.clock.advance(999)
    await settle()
    expect(outcomes(call.attempts)).to.deep.equal(['slow broken'], 'still running')
    kit.clock.advance(1)
    expect((await answer).provider).to.equal('two')
    expect(call.attempts[0]).to.deep.include({ outcome: 'busy', ms: 1_000, reason: 'The provider took too long.' })
    expect(call.cancel.cancelled).to.equal(false)
  })

  it('gives a vendor no more time than the call has left', async () => {
    const left: number[] = []
    const kit = bench({
      'test.echo': [
        { vendor: 'one', timeoutMs: 60_000, run: (_input, context) => (left.push(context.timeLeft()), Promise.resolve({ text: 'x' })) },
      ],
    })
    await kit.ask(kit.call(700))
    expect(left).to.deep.equal([700])
  })

  it('T-69 N-22 the deadline ends a vendor that never settles', async () => {
    const kit = bench({ 'test.echo': [{ vendor: 'one', run: silent }] })
    const call = kit.call(5_000)
    const failed = errorOf(kit.ask(call))
    await settle()
    kit.clock.advance(5_000)
    const error = await failed
    expect(error).to.be.instanceOf(Stopped)
    expect((error as Stopped).reason).to.equal('deadline')
    expect(call.attempts).to.deep.equal([{ provider: 'one', port: 'test.echo', outcome: 'busy', ms: 5_000, reason: 'no time left' }])
  })

  it('T-69 the caller going away ends a vendor that never settles, and suspends nobody', async () => {
    const kit = bench({ 'test.echo': [{ vendor: 'one', run: silent }] })
    const call = kit.call()
    const failed = errorOf(kit.ask(call))
    await settle()
    call.cancel.cancel('client-gone')
    expect(((await failed) as Stopped).reason).to.equal('client-gone')
    expect(call.attempts[0]?.reason).to.equal('the call was stopped')
    expect(kit.suspensions.list()).to.deep.equal([])
  })

  it('T-69 a vendor that rejects long after it was left harms nobody', async () => {
    let fail: (error: Error) => void = () => undefined
    const late = () => new Promise<null>((_resolve, reject) => (fail = reject))
    const kit = bench({
      'test.echo': [
        { vendor: 'one', run: late, timeoutMs: 10 },
        { vendor: 'two', run: saying('x') },
      ],
    })
    const answer = kit.ask(kit.call())
    await settle()
    kit.clock.advance(10)
    await answer
    const unhandled: unknown[] = []
    const note = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', note)
    fail(new Error('too late'))
    await settle(5)
    process.off('unhandledRejection', note)
    expect(unhandled).to.deep.equal([])
  })

  it('calls no vendor when less than 20 ms are left, and says that the deadline passed', async () => {
    let called = 0
    const kit = bench({ 'test.echo': [{ vendor: 'one', run: () => Promise.resolve({ text: String(++called) }) }] })
    const call = kit.call(19)
    expect(((await errorOf(kit.ask(call))) as Stopped).reason).to.equal('deadline')
    expect(called).to.equal(0)
    expect(call.attempts[0]).to.deep.include({ outcome: 'skipped', reason: 'no time left' })
  })

  for (const [ms, ends] of [
    [4_990, 'all vendors failed'],
    [5_000, 'deadline'],
  ] as const)
    it(`a vendor that fails after ${ms} of 5,000 ms, with no time for the next: ${ends}`, async () => {
      const kit = bench({
        'test.echo': [
          {
            vendor: 'one',
            // Nothing ends the call meanwhile: the timer of its deadline is still due.
            run: () => (kit.clock.advance(ms), Promise.reject(new Fault('broken', 'It broke.'))),
            timeoutMs: 6_000,
          },
          { vendor: 'two', run: saying('x') },
        ],
      })
      const error = await errorOf(kit.ask(kit.call(5_000)))
      expect(error instanceof Stopped ? error.reason : 'all vendors failed').to.equal(ends)
    })

  it('a vendor that ran out of its own time, with no time for the next: the deadline', async () => {
    const kit = bench({
      'test.echo': [
        { vendor: 'one', run: silent, timeoutMs: 4_990 },
        { vendor: 'two', run: saying('x') },
      ],
    })
    const ended = errorOf(kit.ask(kit.call(5_000)))
    await settle(5)
    kit.clock.advance(4_990)
    const error = await ended
    expect(error instanceof Stopped && error.reason).to.equal('deadline')
  })

  it('calls no vendor once the call is stopped', async () => {
    const kit = bench({ 'test.echo': [{ vendor: 'one', run: saying('x') }] })
    const call = kit.call()
    call.cancel.cancel('shutdown')
    expect(((await errorOf(kit.ask(call))) as Stopped).reason).to.equal('shutdown')
    expect(call.attempts).to.deep.equal([])
  })

  it('an ended step of a port that acts on the world is an unknown outcome', async () => {
    const kit = bench({
      'test.send': [
        { vendor: 'one', run: silent, timeoutMs: 100 },
        { vendor: 'two', run: saying('sent again') },
      ],
    })
    const failed = errorOf(kit.ask(kit.call(), 'test.send'))
    await settle()
    kit.clock.advance(100)
    const error = await failed
    expect(Fault.is(error) && error.kind === 'busy' && error.ambiguous).to.equal(true)
  })

  it('N-23 F-26 the caller going away closes the upstream socket within 250 ms', async function () {
    const server = await httpServer(() => undefined)
    const contribution = httpProvider(echo, {
      vendor: vendor({ id: 'real', title: 'Real' }),
      request: () => ({ path: '/' }),
      reply: Type.Object({}),
      map: () => ({ text: 'x' }),
    })
    const kit = bench({ 'test.echo': [], more: [loadedProvider(contribution, { baseUrl: server.url })] }, { clock: systemClock })
    try {
      const call = kit.call()
      const failed = errorOf(kit.ask(call))
      await until(() => server.open() !== 0)
      const { own } = await waited(async () => {
        call.cancel.cancel('client-gone')
        expect(((await failed) as Stopped).reason).to.equal('client-gone')
        await until(() => server.open() === 0)
      })
      await atMost(this, { what: 'until the sockets were closed', value: own, limit: 250 })
    } finally {
      await kit.close()
      await server.close()
    }
  })
})
