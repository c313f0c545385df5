import { expect } from 'chai'
import { Stopped } from '../../../core/problems/errors.js'
import type { Behaviour, Scripted } from '../../support/test-plugin.js'
import { bench, errorOf, outcomes, saying, settle, silent } from '../../support/unit.js'

const ID = 'test.echo/slow'

/** A slow provider first and a healthy one behind it. */
function pair(slow: Partial<Scripted> = {}) {
  const kit = bench({
    'test.echo': [
      { vendor: 'slow', run: silent, ...slow },
      { vendor: 'two', run: saying('x') },
    ],
  })
  /** One call whose time passes by `wait` while the first provider runs; the outcomes of its tries. */
  const callOnce = async (wait: number, ms = 30_000): Promise<string[]> => {
    const call = kit.call(ms)
    const answer = kit.ask(call)
    await settle()
    kit.clock.advance(wait)
    expect((await answer).data).to.deep.equal({ text: 'x' })
    return outcomes(call.attempts)
  }
  const outFor = (): number | undefined => {
    const entry = kit.suspensions.list().find(({ id }) => id === ID)
    return entry && entry.until - kit.clock.now()
  }
  return { kit, callOnce, outFor }
}

describe('a vendor that accepts and never answers', () => {
  it('F-17 is passed over after one try that used up its limit, for half a minute and twice as long after each failed probe', async () => {
    const { kit, callOnce, outFor } = pair({ timeoutMs: 1_000 })
    for (const seconds of [30, 60, 120, 240, 480, 600, 600]) {
      expect(await callOnce(1_000)).to.deep.equal(['slow busy', 'two ok'])
      expect(outFor()).to.equal(seconds * 1_000)
      expect(await callOnce(0)).to.deep.equal(['slow skipped', 'two ok'])
      kit.clock.advance(seconds * 1_000)
    }
  })

  it('F-17 is probed by one call alone, and goes on for all once it answers', async () => {
    let run: Behaviour = silent
    const { kit, callOnce } = pair({ timeoutMs: 1_000, run: (input, context) => run(input, context) })
    await callOnce(1_000)
    kit.clock.advance(30_000)
    let answer: () => void = () => undefined
    run = () => new Promise((resolve) => (answer = () => resolve({ text: 'x' })))
    const probing = kit.ask(kit.call())
    await settle()
    expect(await callOnce(0)).to.deep.equal(['slow skipped', 'two ok'])
    answer()
    expect((await probing).provider).to.equal('slow')
    run = saying('x')
    expect(await callOnce(0)).to.deep.equal(['slow ok'])
  })

  it('F-17 is out for five seconds as a busy one when no other vendor is live', async () => {
    const kit = bench({ 'test.echo': [{ vendor: 'slow', run: silent, timeoutMs: 1_000 }] })
    const failed = errorOf(kit.ask(kit.call()))
    await settle()
    kit.clock.advance(1_000)
    await failed
    expect((kit.suspensions.list()[0]?.until ?? 0) - kit.clock.now()).to.equal(5_000)
  })

  it('F-17 without a limit of its own leaves the last ten seconds of the call to the next, and is suspended', async () => {
    const { kit, callOnce, outFor } = pair()
    expect(await callOnce(20_000)).to.deep.equal(['slow busy', 'two ok'])
    expect(kit.finished[0]?.ms).to.equal(20_000)
    expect(outFor()).to.equal(30_000)
  })

  it('F-17 leaves half of a short call; one such try is no outage, ten in a row are', async () => {
    const { callOnce, outFor } = pair()
    for (let count = 0; count < 9; count++) expect(await callOnce(1_000, 2_000)).to.deep.equal(['slow busy', 'two ok'])
    expect(outFor()).to.equal(undefined)
    await callOnce(1_000, 2_000)
    expect(outFor()).to.equal(30_000)
  })

  it('F-17 is out for its other ports too, where somebody else serves them', async () => {
    const kit = bench({
      'test.echo': [
        { vendor: 'slow', run: silent, timeoutMs: 1_000 },
        { vendor: 'two', run: saying('x') },
      ],
      'test.part': [
        { vendor: 'slow', run: silent },
        { vendor: 'two', run: saying('x') },
      ],
      'test.send': [{ vendor: 'slow', run: saying('x') }],
    })
    const answer = kit.ask(kit.call())
    await settle()
    kit.clock.advance(1_000)
    await answer
    expect(kit.suspensions.list().map(({ id }) => id)).to.have.members([ID, 'test.part/slow'])
  })

  it('has all that is left when the next one is suspended, does not serve the input or is not wanted', async () => {
    for (const about of ['suspended', 'serves', 'only'] as const) {
      const kit = bench({
        'test.echo': [
          { vendor: 'slow', run: silent },
          { vendor: 'two', run: saying('x'), ...(about === 'serves' ? { serves: () => false } : {}) },
        ],
      })
      if (about === 'suspended') kit.suspensions.suspend('test.echo/two', 'by hand')
      const call = kit.call(30_000)
      const failed = errorOf(kit.ask(call, 'test.echo', about === 'only' ? { only: 'slow' } : {}))
      await settle()
      kit.clock.advance(29_999)
      await settle()
      expect(call.attempts[0]?.outcome, about).to.equal('broken', 'still running')
      kit.clock.advance(1)
      expect(((await failed) as Stopped).reason, about).to.equal('deadline')
    }
  })

  it('of a port that acts on the world has all that is left: no vendor is called after it', async () => {
    const kit = bench({
      'test.send': [
        { vendor: 'slow', run: silent },
        { vendor: 'two', run: saying('x') },
      ],
    })
    const call = kit.call(30_000)
    const failed = errorOf(kit.ask(call, 'test.send'))
    await settle()
    kit.clock.advance(29_999)
    await settle()
    expect(call.cancel.timeLeft()).to.equal(1)
    expect(kit.finished).to.deep.equal([])
    kit.clock.advance(1)
    expect(await failed).to.be.instanceOf(Stopped)
  })

  it('that is local is suspended only when its last ten tries all timed out', async () => {
    let run: Behaviour = silent
    const { callOnce, outFor } = pair({ kind: 'local', timeoutMs: 1_000, run: (input, context) => run(input, context) })
    for (let count = 0; count < 9; count++) await callOnce(1_000)
    run = saying('x')
    await callOnce(0)
    run = silent
    for (let count = 0; count < 9; count++) await callOnce(1_000)
    expect(outFor()).to.equal(undefined)
    await callOnce(1_000)
    expect(outFor()).to.equal(30_000)
  })
})
