import { expect } from 'chai'
import type { GatherOptions } from '../../../core/sdk/index.js'
import { Fault, part, send, type Scripted } from '../../support/test-plugin.js'
import { bench, errorOf, failing, saying, settle, silent } from '../../support/unit.js'

type Kit = ReturnType<typeof bench>

const of = (vendors: readonly Scripted[]): Kit => bench({ 'test.part': vendors })
const ids = (answers: readonly { provider: string }[]) => answers.map(({ provider }) => provider)

function gathering(kit: Kit, options: GatherOptions<unknown> = {}) {
  const call = kit.call(30_000)
  return { answers: kit.environment.ports.gather({ call, cancel: call.cancel, depth: 0, portId: part.id, given: { text: 'x' }, options }) }
}

describe('gather without an answer', () => {
  const endOf = async (vendors: readonly Scripted[], options: GatherOptions<unknown> = {}): Promise<string> => {
    const error = await errorOf(gathering(of(vendors), options).answers)
    return Fault.is(error) ? error.kind : error.constructor.name
  }

  it('ends as a waterfall would: with what is most useful of the outcomes of those that were called', async () => {
    const vendor = (kind: string, at: number): Scripted => ({ vendor: `v${at}`, run: failing(kind as 'missing') })
    for (const [kinds, end] of [
      [['broken', 'broken'], 'broken'],
      [['broken', 'credentials', 'quota'], 'quota'],
      [['broken', 'busy'], 'busy'],
      [['broken', 'missing', 'busy'], 'missing'],
      [['invalid', 'broken'], 'broken'],
    ] as const)
      expect(await endOf(kinds.map(vendor)), kinds.join()).to.equal(end)
  })

  it('fails unless orFail is false; is silent about failures as soon as there is one', async () => {
    const kit = of([
      { vendor: 'one', run: failing('broken') },
      { vendor: 'two', run: saying('2') },
    ])
    expect(ids(await gathering(kit).answers)).to.deep.equal(['two'])
    expect(await gathering(of([{ vendor: 'one', run: failing('broken') }]), { orFail: false }).answers).to.deep.equal([])
  })

  it('is busy when its own time is used up, unless somebody said that there is nothing', async () => {
    for (const [first, end] of [
      [{ vendor: 'one', run: failing('broken') }, 'busy'],
      [{ vendor: 'one', run: failing('missing') }, 'missing'],
    ] as const) {
      const kit = of([first, { vendor: 'two', run: silent }])
      const error = errorOf(gathering(kit, { withinMs: 300 }).answers)
      await settle()
      kit.clock.advance(300)
      expect(((await error) as Fault).kind).to.equal(end)
    }
    expect(await endOf([{ vendor: 'one', run: saying('1') }], { withinMs: 0 })).to.equal('busy')
  })

  it('is unavailable when all turned out to be', async () => {
    expect(await endOf([{ vendor: 'hollow', run: (_input, context) => context.call(send, { text: 'x' }) }])).to.equal('Unavailable')
  })

  it('with all suspended ends with the outcome of the one that was called', async () => {
    const kit = of(['one', 'two'].map((vendor) => ({ vendor, run: failing('quota') })))
    for (const vendor of ['one', 'two'])
      kit.suspensions.failed(`test.part/${vendor}`, new Fault('busy', 'x', { retryAfterSeconds: 9 }), {
        started: kit.clock.monotonic(),
        local: false,
      })
    const error = await errorOf(gathering(kit).answers)
    expect((error as Fault).kind).to.equal('quota')
  })

  it('B3 names the failure, not the emptiness, where the others could not check', async () => {
    const blind: Scripted = { vendor: 'blind', run: failing('missing', { inconclusive: true }) }
    for (const kind of ['broken', 'busy', 'quota', 'credentials'] as const)
      expect(await endOf([blind, { vendor: 'one', run: failing(kind) }])).to.equal(kind)
    expect(await endOf([blind, { vendor: 'one', run: failing('missing') }])).to.equal('missing')
    const kit = of([blind, { vendor: 'out', run: saying('x') }])
    kit.suspensions.failed('test.part/out', new Fault('quota', 'x'), { started: kit.clock.monotonic(), local: false })
    const suspended = (await errorOf(gathering(kit).answers)) as Fault
    expect([suspended.kind, suspended.retryAfterSeconds]).to.deep.equal(['busy', 3_600])
  })

  it('reports each failure to the handler, also beside answers and of vendors that were suspended or too late', async () => {
    const kit = of([
      { vendor: 'one', run: failing('credentials') },
      { vendor: 'two', run: saying('2') },
      { vendor: 'out', run: saying('3') },
      { vendor: 'slow', run: silent },
    ])
    kit.suspensions.failed('test.part/out', new Fault('quota', 'x'), { started: kit.clock.monotonic(), local: false })
    const failures: string[] = []
    const { answers } = gathering(kit, { withinMs: 300, onFailure: ({ kind, message }) => failures.push(`${kind}: ${message}`) })
    await settle()
    kit.clock.advance(300)
    expect(ids(await answers)).to.deep.equal(['two'])
    expect(failures).to.deep.equal([
      'credentials: the vendor said credentials',
      'busy: No provider answered within the time limit.',
      'busy: Providers that were not called are suspended after failures.',
    ])
  })
})
