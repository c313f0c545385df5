import { expect } from 'chai'
import type { Behaviour } from '../../support/test-plugin.js'
import { bench, errorOf, failing, outcomes } from '../../support/unit.js'

describe('an outage that took every vendor out', () => {
  /** Three vendors, of which the first two fail while the network is down and the third is used up. */
  function parts() {
    let down = true
    const reached: Behaviour = (input, context) => (down ? failing('broken')(input, context) : Promise.resolve({ text: 'x' }))
    const kit = bench({
      'test.echo': [
        { vendor: 'one', run: reached },
        { vendor: 'two', run: reached },
        { vendor: 'three', run: failing('quota') },
      ],
    })
    const fail = async (only: string, times: number) => {
      for (let count = 0; count < times; count++) await errorOf(kit.ask(kit.call(), 'test.echo', { only }))
    }
    const takeOut = async () => {
      await fail('two', 5)
      kit.clock.advance(1_000)
      await fail('one', 5)
      await fail('three', 1)
    }
    const callOnce = async () => {
      const call = kit.call()
      await kit.ask(call)
      return outcomes(call.attempts)
    }
    return { kit, takeOut, callOnce, back: () => (down = false), gone: () => (down = true) }
  }

  it('is over for all that were broken once the one called as the last resort is back, not for one that is used up', async () => {
    const { kit, takeOut, callOnce, back } = parts()
    await takeOut()
    back()
    expect(await callOnce()).to.deep.equal(['one skipped', 'two skipped', 'three skipped', 'two ok'])
    expect(await callOnce()).to.deep.equal(['one ok'])
    expect(kit.suspensions.list().map(({ id }) => id)).to.deep.equal(['test.echo/three'])
  })

  it('that goes on lengthens the suspension of a vendor that was called early, as of any other probe', async () => {
    const { kit, takeOut, callOnce, back, gone } = parts()
    await takeOut()
    back()
    await callOnce()
    gone()
    await errorOf(kit.ask(kit.call(), 'test.echo', { only: 'one' }))
    const one = kit.suspensions.list().find(({ id }) => id === 'test.echo/one')
    expect((one?.until ?? 0) - kit.clock.now()).to.equal(60_000)
  })

  it('leaves the others as they are while the last resort fails', async () => {
    const { kit, takeOut } = parts()
    await takeOut()
    const before = kit.suspensions.list().find(({ id }) => id === 'test.echo/one')
    await errorOf(kit.ask(kit.call()))
    expect(kit.suspensions.list().find(({ id }) => id === 'test.echo/one')).to.deep.equal(before)
  })
})
