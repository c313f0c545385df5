import { expect } from 'chai'
import { providersTried } from '../../../core/dispatch/call.js'
import { Stopped, Unavailable } from '../../../core/problems/errors.js'
import { problemFrom } from '../../../core/dispatch/from-error.js'
import { Problem } from '../../../core/problems/problem.js'
import { FAULT_KINDS, mostUseful, type FaultKind } from '../../../core/sdk/index.js'
import { Fault, type Behaviour } from '../../support/test-plugin.js'
import { bench, errorOf, failing, outcomes, saying } from '../../support/unit.js'

describe('the waterfall', () => {
  it('calls vendors in order, stops at the first result and leaves the rest alone', async () => {
    let third = 0
    const kit = bench({
      'test.echo': [
        { vendor: 'one', run: () => Promise.resolve(null) },
        { vendor: 'two', run: saying('two was here') },
        { vendor: 'three', run: () => Promise.resolve({ text: String(++third) }) },
      ],
    })
    const call = kit.call()
    expect(await kit.ask(call)).to.deep.equal({ provider: 'two', data: { text: 'two was here' } })
    expect(third).to.equal(0)
    expect(outcomes(call.attempts)).to.deep.equal(['one missing', 'two ok'])
    expect(call.contributors('')).to.deep.equal(['two'])
  })

  it('notes every try with port, reason and whole milliseconds, and reports it to the metrics once it has ended', async () => {
    const kit = bench({
      'test.echo': [
        { vendor: 'one', run: failing('broken', {}, 'it broke') },
        { vendor: 'two', run: saying('x') },
      ],
    })
    const call = kit.call()
    await kit.ask(call)
    expect(call.attempts).to.deep.equal([
      { provider: 'one', port: 'test.echo', outcome: 'broken', ms: 0, reason: 'it broke' },
      { provider: 'two', port: 'test.echo', outcome: 'ok', ms: 0 },
    ])
    expect(kit.finished).to.deep.equal(call.attempts)
  })

  for (const kind of FAULT_KINDS) {
    const goesOn = kind !== 'invalid'
    it(`${goesOn ? 'calls the next vendor' : 'stops'} after a Fault of kind ${kind}`, async () => {
      const kit = bench({
        'test.echo': [
          { vendor: 'one', run: failing(kind) },
          { vendor: 'two', run: saying('second') },
        ],
      })
      const call = kit.call()
      const outcome = await kit.ask(call).catch((error: unknown) => error)
      if (goesOn) expect(outcome).to.deep.equal({ provider: 'two', data: { text: 'second' } })
      else expect(Fault.is(outcome) && outcome.kind).to.equal('invalid')
      expect(outcomes(call.attempts)).to.deep.equal(goesOn ? [`one ${kind}`, 'two ok'] : ['one invalid'])
    })
  }

  it('calls no other vendor once one says that none would find more', async () => {
    const kit = bench({
      'test.echo': [
        { vendor: 'one', run: failing('busy') },
        { vendor: 'two', run: failing('missing', { final: true }) },
        { vendor: 'three', run: saying('third') },
      ],
    })
    const call = kit.call()
    const fault = await errorOf(kit.ask(call))
    expect(Fault.is(fault) && fault.kind).to.equal('missing')
    expect(outcomes(call.attempts)).to.deep.equal(['one busy', 'two missing'])
  })

  describe('a vendor that refuses the request with 400 or 422', () => {
    const refusing = failing('invalid', { status: 422 })
    const outcomeOf = async (...runs: Behaviour[]) => {
      const kit = bench({ 'test.echo': runs.map((run, index) => ({ vendor: `v${index}`, run })) })
      return { kit, outcome: await kit.ask(kit.call()).catch((error: unknown) => error) }
    }

    it('is followed by the next, and not suspended', async () => {
      const { kit, outcome } = await outcomeOf(refusing, saying('second'))
      expect(outcome).to.deep.equal({ provider: 'v1', data: { text: 'second' } })
      expect(kit.suspensions.list()).to.deep.equal([])
    })

    it('makes the call invalid only when every vendor that was called said so', async () => {
      for (const kind of FAULT_KINDS.filter((other) => other !== 'invalid'))
        for (const order of [
          [refusing, failing(kind)],
          [failing(kind), refusing],
        ]) {
          const { outcome } = await outcomeOf(...order)
          expect(Fault.is(outcome) && outcome.kind).to.equal(kind)
        }
      const { outcome } = await outcomeOf(refusing, refusing)
      expect(Fault.is(outcome) && outcome.kind).to.equal('invalid')
    })

    it('leaves the call busy while another is suspended that may take it, not when the operator suspended that', async () => {
      const kit = bench({
        'test.echo': [
          { vendor: 'one', run: failing('busy', { retryAfterSeconds: 20 }) },
          { vendor: 'two', run: refusing },
        ],
      })
      const run = async () => {
        const error = await errorOf(kit.ask(kit.call()))
        return Fault.is(error) ? [error.kind, error.retryAfterSeconds] : error
      }
      await run()
      expect(await run()).to.deep.equal(['busy', 20])
      kit.suspensions.suspend('test.echo/one', 'by hand')
      expect(await run()).to.deep.equal(['invalid', undefined])
    })

    it('leaves the call late, not invalid, when there was no time to call another', async () => {
      const kit = bench({
        'test.echo': [
          { vendor: 'one', run: (input, context) => (kit.clock.advance(4_990), refusing(input, context)), timeoutMs: 5_000 },
          { vendor: 'two', run: saying('second') },
        ],
      })
      const call = kit.call()
      const error = await errorOf(kit.ask(call))
      expect(error instanceof Stopped && error.reason).to.equal('deadline')
      expect(call.attempts.map(({ outcome, reason }) => [outcome, reason])).to.deep.include(['skipped', 'no time left'])
    })

    it('suspends nobody however often it says so, also after a busy time', async () => {
      const kit = bench({
        'test.echo': [
          { vendor: 'one', run: refusing },
          { vendor: 'two', run: saying('second') },
        ],
      })
      for (let count = 0; count < 50; count++) expect((await kit.ask(kit.call())).provider).to.equal('two')
      expect(kit.suspensions.list()).to.deep.equal([])
    })
  })

  it('a vendor whose name was not resolved in time is passed over and not suspended', async () => {
    const kit = bench({
      'test.echo': [
        { vendor: 'one', run: failing('busy', { unavailable: true }) },
        { vendor: 'two', run: saying('second') },
      ],
    })
    const call = kit.call()
    expect(await kit.ask(call)).to.deep.equal({ provider: 'two', data: { text: 'second' } })
    expect(outcomes(call.attempts)).to.deep.equal(['one busy', 'two ok'])
    expect(kit.suspensions.list()).to.deep.equal([])
  })

  it('a vendor that this machine has no route to is passed over and not suspended; without another one the gateway is overloaded', async () => {
    const lack = new Problem('overloaded', 'The gateway has no route to the vendor.', { retryAfterSeconds: 5 })
    let second = saying('second')
    const kit = bench({
      'test.echo': [
        { vendor: 'one', run: failing('busy', { unavailable: true, cause: lack }) },
        { vendor: 'two', run: (input, context) => second(input, context) },
      ],
    })
    expect((await kit.ask(kit.call())).provider).to.equal('two')
    second = failing('busy', { unavailable: true, cause: lack })
    for (let count = 0; count < 10; count++) expect(problemFrom(await errorOf(kit.ask(kit.call())))).to.equal(lack)
    expect(kit.suspensions.list()).to.deep.equal([])
  })

  const out: Record<FaultKind, boolean> = {
    invalid: false,
    missing: false,
    blocked: false,
    busy: true,
    quota: true,
    credentials: true,
    broken: false,
  }
  for (const kind of FAULT_KINDS)
    it(`${out[kind] ? 'suspends' : 'does not suspend'} a vendor after one ${kind}`, async () => {
      const kit = bench({ 'test.echo': [{ vendor: 'one', run: failing(kind) }] })
      await errorOf(kit.ask(kit.call()))
      expect(kit.suspensions.list().map(({ id }) => id)).to.deep.equal(out[kind] ? ['test.echo/one'] : [])
    })

  it('T-69 takes an unexpected error of a plugin as broken, with its text for the log alone', async () => {
    const kit = bench({
      'test.echo': [
        {
          vendor: 'one',
          run: () => {
            throw new TypeError('inner secret detail')
          },
        },
      ],
    })
    const error = await errorOf(kit.ask(kit.call()))
    expect(Fault.is(error) && error.kind).to.equal('broken')
    expect(error.message).not.to.contain('secret')
    expect(JSON.stringify(kit.logs)).to.contain('inner secret detail')
  })

  it('takes an error that says what this machine lacks for no failure of the vendor: the next is called, and alone it is overloaded', async () => {
    const lack = Object.assign(new Error('too many open files'), { code: 'EMFILE' })
    const fails = [() => Promise.reject(lack), failing('broken', { cause: lack }, 'the sandbox failed')]
    for (const run of fails) {
      const kit = bench({
        'test.echo': [
          { vendor: 'one', run },
          { vendor: 'two', run: saying('x') },
        ],
        'test.part': [{ vendor: 'one', run }],
      })
      for (let count = 0; count < 6; count++) expect((await kit.ask(kit.call())).provider).to.equal('two')
      expect(problemFrom(await errorOf(kit.ask(kit.call(), 'test.part')))).to.include({ slug: 'overloaded', status: 503 })
      expect(kit.suspensions.list()).to.deep.equal([])
    }
  })

  it('T-27 takes a result outside the schema as broken and calls the next', async () => {
    const wrong = { run: () => Promise.resolve({ words: 5 } as never), vendor: 'one' }
    const kit = bench({ 'test.echo': [wrong, { vendor: 'two', run: saying('right') }] })
    const call = kit.call()
    expect((await kit.ask(call)).provider).to.equal('two')
    expect(outcomes(call.attempts)).to.deep.equal(['one broken', 'two ok'])
  })

  it('ends with the failure most useful to the caller, whatever the order of the vendors', async () => {
    const rank: FaultKind[] = ['blocked', 'missing', 'busy', 'quota', 'credentials', 'broken']
    for (let at = 0; at < rank.length - 1; at++)
      for (const pair of [
        [rank[at], rank[at + 1]],
        [rank[at + 1], rank[at]],
      ]) {
        const kit = bench({ 'test.echo': pair.map((kind, index) => ({ vendor: `v${index}`, run: failing(kind ?? 'broken') })) })
        const error = await errorOf(kit.ask(kit.call()))
        expect(Fault.is(error) && error.kind, pair.join()).to.equal(rank[at])
      }
  })

  it('of busy vendors has the shortest wait, and a known wait rather than none', () => {
    const busy = (retryAfterSeconds?: number) => new Fault('busy', 'x', retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
    expect(mostUseful([busy(9), busy(3), busy(30)]).retryAfterSeconds).to.equal(3)
    expect(mostUseful([busy(), busy(7)]).retryAfterSeconds).to.equal(7)
    expect(mostUseful([busy(7), busy()]).retryAfterSeconds).to.equal(7)
    expect(mostUseful([]).kind).to.equal('broken')
    const waits = new Fault('busy', 'too many wait here', { unavailable: true, retryAfterSeconds: 1, obstacle: 'queue' })
    expect(mostUseful([waits, busy()]).obstacle).to.equal(undefined)
    expect(mostUseful([busy(60), waits]).retryAfterSeconds).to.equal(60)
    expect(mostUseful([new Fault('broken', 'x'), waits]).obstacle).to.equal('queue')
  })

  it('passes a vendor over that does not serve the input, and does not count it as tried', async () => {
    const kit = bench({
      'test.echo': [
        { vendor: 'one', run: saying('x'), serves: ({ text }) => text !== 'hello' },
        { vendor: 'two', run: saying('y') },
      ],
    })
    const call = kit.call()
    expect((await kit.ask(call)).provider).to.equal('two')
    expect(call.attempts[0]).to.deep.include({ provider: 'one', outcome: 'skipped', reason: 'does not serve this input' })
    expect(providersTried(call.attempts)).to.deep.equal(['two'])
    expect((await kit.ask(kit.call(), 'test.echo', { given: { text: 'other' } })).provider).to.equal('one')
  })

  it('T-69 a vendor whose serves or time limit throws is passed over or fails alone, and the next is called', async () => {
    const serves = (): boolean => {
      throw new Error('bad predicate')
    }
    const kit = bench({
      'test.echo': [
        { vendor: 'one', run: saying('x'), serves },
        { vendor: 'two', run: saying('y') },
      ],
    })
    const call = kit.call()
    expect((await kit.ask(call)).provider).to.equal('two')
    expect(JSON.stringify(kit.logs)).to.contain('bad predicate')
    const timeoutMs = (() => {
      throw new Error('bad limit')
    }) as never
    const late = bench({
      'test.echo': [
        { vendor: 'one', run: saying('x'), timeoutMs },
        { vendor: 'two', run: saying('y') },
      ],
    })
    const second = late.call()
    expect((await late.ask(second)).provider).to.equal('two')
    expect(outcomes(second.attempts)).to.deep.equal(['one broken', 'two ok'])
  })

  it('calls only the vendor named by the call, and no other when it fails', async () => {
    const kit = bench({
      'test.echo': [
        { vendor: 'one', run: saying('x') },
        { vendor: 'two', run: failing('broken') },
      ],
    })
    const call = kit.call()
    await errorOf(kit.ask(call, 'test.echo', { only: 'two' }))
    expect(outcomes(call.attempts)).to.deep.equal(['two broken'])
    const stranger = await errorOf(kit.ask(kit.call(), 'test.echo', { only: 'nobody' }))
    expect(stranger).to.be.instanceOf(Unavailable)
    expect(stranger.message).to.contain('"nobody" does not serve test.echo')
  })

  it('says which settings would help when no vendor is live', async () => {
    const dormant = { run: saying('x'), state: 'dormant' } as const
    const kit = bench({
      'test.echo': [
        { vendor: 'one', ...dormant, reason: 'set ONE_KEY' },
        { vendor: 'two', ...dormant, reason: 'set TWO_KEY' },
      ],
    })
    const error = await errorOf(kit.ask(kit.call()))
    expect(error).to.be.instanceOf(Unavailable)
    expect(error.message).to.match(/one: set ONE_KEY; two: set TWO_KEY/)
    const only = await errorOf(kit.ask(kit.call(), 'test.echo', { only: 'two' }))
    expect(only.message).to.equal('two: set TWO_KEY.')
    expect((await errorOf(bench({}).ask(bench({}).call()))).message).to.contain('Nothing serves test.echo')
    expect(await errorOf(kit.ask(kit.call(), 'no.such'))).to.be.instanceOf(Unavailable)
  })

  it('is unavailable, not broken, when its only vendor builds on a port that nobody serves', async () => {
    const kit = bench({
      'test.echo': [
        { vendor: 'one', run: async (_input, context) => (await context.call(partPort(kit), { text: 'x' })) as { text: string } },
      ],
      'test.part': [{ vendor: 'deep', run: saying('x'), state: 'dormant', reason: 'set DEEP_KEY' }],
    })
    const call = kit.call()
    const error = await errorOf(kit.ask(call))
    expect(error).to.be.instanceOf(Unavailable)
    expect(error.message).to.contain('set DEEP_KEY')
    expect(providersTried(call.attempts)).to.deep.equal([])
  })

  describe('of a port that acts on the world', () => {
    const run = async (first: ReturnType<typeof failing>) => {
      let second = 0
      const kit = bench({
        'test.send': [
          { vendor: 'one', run: first },
          { vendor: 'two', run: () => Promise.resolve({ text: String(++second) }) },
        ],
      })
      const call = kit.call()
      const outcome = await kit.ask(call, 'test.send').catch((error: unknown) => error)
      return { call, outcome, second: () => second }
    }

    it('F-25 stops when the outcome is unknown: the next vendor would send twice', async () => {
      for (const first of [
        failing('busy', { ambiguous: true }),
        () => Promise.reject(new Error('crash after sending')),
        () => Promise.resolve({ words: 1 } as never),
      ]) {
        const { outcome, second, call } = await run(first)
        expect(Fault.is(outcome) && outcome.ambiguous).to.equal(true)
        expect(second()).to.equal(0)
        expect(call.actedOnce).to.equal(true)
      }
    })

    it('moves on after a clear refusal', async () => {
      const { outcome, second } = await run(failing('credentials'))
      expect(outcome).to.deep.equal({ provider: 'two', data: { text: '1' } })
      expect(second()).to.equal(1)
    })
  })
})

function partPort(kit: ReturnType<typeof bench>) {
  const port = kit.registry.ports.get('test.part')
  if (port === undefined) throw new Error('no test.part')
  return port.port
}
