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

describe('gather that is to fail without an answer', () => {
  const endOf = async (vendors: readonly Scripted[], options: GatherOptions<unknown> = {}): Promise<string> => {
    const error = await errorOf(gathering(of(vendors), { orFail: true, ...options }).answers)
    return Fault.is(error) ? error.kind : error.constructor.name
  }

  it('ends as a waterfall would: with what is most useful of what those that were asked ended with', async () => {
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

  it('is silent about failures as soon as there is an answer, and without the option', async () => {
    const kit = of([
      { vendor: 'one', run: failing('broken') },
      { vendor: 'two', run: saying('2') },
    ])
    expect(ids(await gathering(kit, { orFail: true }).answers)).to.deep.equal(['two'])
    expect(await gathering(of([{ vendor: 'one', run: failing('broken') }])).answers).to.deep.equal([])
  })

  it('is busy when its own time is used up, unless somebody said that there is nothing', async () => {
    for (const [first, end] of [
      [{ vendor: 'one', run: failing('broken') }, 'busy'],
      [{ vendor: 'one', run: failing('missing') }, 'missing'],
    ] as const) {
      const kit = of([first, { vendor: 'two', run: silent }])
      const error = errorOf(gathering(kit, { withinMs: 300, orFail: true }).answers)
      await settle()
      kit.clock.advance(300)
      expect(((await error) as Fault).kind).to.equal(end)
    }
    expect(await endOf([{ vendor: 'one', run: saying('1') }], { withinMs: 0 })).to.equal('busy')
  })

  it('is unavailable when all turned out to be', async () => {
    expect(await endOf([{ vendor: 'hollow', run: (_input, context) => context.call(send, { text: 'x' }) }])).to.equal('Unavailable')
  })

  it('with all suspended ends with what came of the one that was asked', async () => {
    const kit = of(['one', 'two'].map((vendor) => ({ vendor, run: failing('quota') })))
    for (const vendor of ['one', 'two'])
      kit.suspensions.failed(`test.part/${vendor}`, new Fault('busy', 'x', { retryAfterSeconds: 9 }), {
        started: kit.clock.monotonic(),
        local: false,
      })
    const error = await errorOf(gathering(kit, { orFail: true }).answers)
    expect((error as Fault).kind).to.equal('quota')
  })
})
