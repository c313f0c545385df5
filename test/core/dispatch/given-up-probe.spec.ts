import { expect } from 'chai'
import { Unavailable } from '../../../core/problems/errors.js'
import { bench, failing, outcomes, saying } from '../../support/unit.js'

describe('a probe of a provider whose port has nobody', () => {
  it('is left to the next call', async () => {
    let run = failing('busy')
    const kit = bench({
      'test.echo': [
        { vendor: 'one', run: (input, context) => run(input, context) },
        { vendor: 'two', run: saying('x') },
      ],
    })
    await kit.ask(kit.call())
    kit.clock.advance(5_000)
    run = () => Promise.reject(new Unavailable('test.part', 'No provider of test.part is configured.'))
    const given = kit.call()
    await kit.ask(given)
    expect(outcomes(given.attempts)).to.deep.equal(['one skipped', 'two ok'])
    expect(given.attempts[0]?.reason).to.equal('No provider of test.part is configured.')
    run = saying('back')
    expect((await kit.ask(kit.call())).provider).to.equal('one')
  })
})
