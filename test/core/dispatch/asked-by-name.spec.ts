import { expect } from 'chai'
import { providersTried } from '../../../core/dispatch/call.js'
import { perform } from '../../../core/dispatch/perform.js'
import { mostUseful } from '../../../core/sdk/index.js'
import { echo, Fault, handle, part, type Behaviour, type Scripted } from '../../support/test-plugin.js'
import { bench, errorOf, failing, outcomes, saying, settle, silent } from '../../support/unit.js'

/** A handler that calls the vendors of a port one by one until one answers. */
function world(vendors: readonly Scripted[]) {
  const kit = bench({
    handler: handle(echo, async (_input, context) => {
      const faults: Fault[] = []
      for (const { id } of context.providers(part))
        try {
          return await context.call(part, { text: 'q' }, { only: id })
        } catch (error) {
          if (!Fault.is(error)) throw error
          faults.push(error)
        }
      throw mostUseful(faults)
    }),
    'test.part': vendors,
  })
  const loaded = kit.registry.capabilities.get('test.echo')
  if (loaded === undefined) throw new Error('not loaded')
  const call = () => {
    const state = kit.call(60_000)
    return { state, done: perform(kit.environment, loaded, { text: 'x', mode: 'plain', times: 1, note: null }, state) }
  }
  return { kit, call }
}

const blind: Scripted = { vendor: 'blind', kind: 'local', run: failing('missing', { inconclusive: true }, 'Could not check.') }

describe('vendors that a handler calls one by one', () => {
  for (const kind of ['credentials', 'quota', 'busy'] as const)
    it(`B8 B3 after ${kind} are named as skipped by the next call, which ends with busy and the time that is left`, async () => {
      const { call, kit } = world([{ vendor: 'one', run: failing(kind) }, { vendor: 'two', run: failing(kind) }, blind])
      const first = call()
      expect(((await errorOf(first.done)) as Fault).kind).to.equal(kind)
      expect(outcomes(first.state.attempts)).to.deep.equal([`one ${kind}`, `two ${kind}`, 'blind missing'])
      kit.clock.advance(1_000)
      const second = call()
      const error = (await errorOf(second.done)) as Fault
      expect([error.kind, error.retryAfterSeconds]).to.deep.equal(['busy', kind === 'busy' ? 4 : 3_599])
      expect(outcomes(second.state.attempts)).to.deep.equal(['one skipped', 'two skipped', 'blind missing'])
      expect(second.state.attempts[0]?.reason).to.equal('suspended')
      expect(providersTried(second.state.attempts)).to.deep.equal(['blind'])
    })

  it('B8 a vendor that the operator suspended is named too', async () => {
    const { call, kit } = world([{ vendor: 'one', run: saying('1') }, blind])
    kit.suspensions.suspend('test.part/one', 'by hand')
    const { state, done } = call()
    expect(((await errorOf(done)) as Fault).message).to.equal('The provider is suspended by the operator.')
    expect(outcomes(state.attempts)).to.deep.equal(['one skipped', 'blind missing'])
  })

  it('one of them is probed where all are suspended', async () => {
    const { call, kit } = world([{ vendor: 'one', run: saying('1') }])
    kit.suspensions.failed('test.part/one', new Fault('quota', 'x'), { started: kit.clock.monotonic(), local: false })
    const { state, done } = call()
    expect((await done).data).to.deep.equal({ text: '1' })
    expect(outcomes(state.attempts)).to.deep.equal(['one skipped', 'one ok'])
  })

  it('the caller who carries a probe waits as long as the vendor usually takes, and goes on to the next', async () => {
    let behaviour: Behaviour = saying('1')
    const { call, kit } = world([
      { vendor: 'one', timeoutMs: 20_000, run: (input, context) => behaviour(input, context) },
      { vendor: 'two', run: saying('2') },
    ])
    kit.suspensions.failed('test.part/one', new Fault('busy', 'x'), { started: kit.clock.monotonic(), local: false })
    kit.clock.advance(5_000)
    behaviour = silent
    const { state, done } = call()
    await settle()
    kit.clock.advance(50)
    expect((await done).data).to.deep.equal({ text: '2' })
    expect(outcomes(state.attempts)).to.deep.equal(['one busy', 'two ok'])
    kit.clock.advance(20_000)
    await settle()
    expect(kit.suspensions.isSuspended('test.part/one')).to.equal(true)
  })
})

describe('providers that could not check', () => {
  it('B3 never outweigh one that is suspended: the waterfall ends busy, with the time that is left', async () => {
    for (const options of [{ inconclusive: true }, { unavailable: true }]) {
      const kit = bench({
        'test.echo': [
          { vendor: 'out', run: saying('x') },
          { ...blind, run: failing('missing', options) },
        ],
      })
      kit.suspensions.failed('test.echo/out', new Fault('credentials', 'x'), { started: kit.clock.monotonic(), local: false })
      const error = (await errorOf(kit.ask(kit.call()))) as Fault
      expect([error.kind, error.retryAfterSeconds]).to.deep.equal(['busy', 3_600])
    }
  })

  describe('because they replace others with more data', () => {
    const inconclusive = ({ text }: { text: string }): boolean => text === ''
    const standIn = (text: string): Scripted => ({ vendor: 'standin', run: saying(text), inconclusive })

    for (const kind of ['broken', 'busy', 'quota', 'credentials', 'blocked'] as const)
      it(`B4 are not taken at an empty word after one that failed (${kind}), in the first call and while it is suspended`, async () => {
        const kit = bench({ 'test.echo': [{ vendor: 'one', run: failing(kind) }, standIn('')] })
        for (let round = 0; round < 6; round++) {
          const call = kit.call()
          const error = (await errorOf(kit.ask(call))) as Fault
          expect(['busy', kind], `round ${round}`).to.include(error.kind)
          expect(call.attempts.at(-1)).to.include({ provider: 'standin', outcome: 'missing' })
          expect(call.contributors('')).to.deep.equal([])
        }
      })

    it('B4 are, with a result, and where nobody before them failed', async () => {
      const broken: Scripted = { vendor: 'one', run: failing('broken') }
      expect((await bench({ 'test.echo': [broken, standIn('x')] }).ask(bench({}).call())).data).to.deep.equal({ text: 'x' })
      expect((await bench({ 'test.echo': [standIn('')] }).ask(bench({}).call())).data).to.deep.equal({ text: '' })
      const missing: Scripted = { vendor: 'one', run: failing('missing') }
      expect((await bench({ 'test.echo': [missing, standIn('')] }).ask(bench({}).call())).data).to.deep.equal({ text: '' })
      expect((await bench({ 'test.echo': [standIn(''), broken] }).ask(bench({}).call())).data).to.deep.equal({ text: '' })
    })

    it('B4 give way to a later one that is no stand-in', async () => {
      const kit = bench({ 'test.echo': [{ vendor: 'one', run: failing('broken') }, standIn(''), { vendor: 'engine', run: saying('') }] })
      expect(await kit.ask(kit.call())).to.deep.equal({ provider: 'engine', data: { text: '' } })
    })
  })

  it('B3 alone are a miss', async () => {
    const kit = bench({ 'test.echo': [blind, { vendor: 'other', run: failing('invalid', { status: 422 }) }] })
    expect(((await errorOf(kit.ask(kit.call()))) as Fault).message).to.equal('Could not check.')
  })
})
