import { expect } from 'chai'
import { LastingStates } from '../../../core/telemetry/log.js'

describe('states that last', () => {
  let now: number
  let states: LastingStates
  beforeEach(() => {
    now = 0
    states = new LastingStates(() => now)
  })
  const away = (): unknown => states.track('store-away', {})
  const back = (): unknown => states.track('store-back', {})

  it('have a line when they begin, one a minute at most while they are reported, and one when they end', () => {
    expect(away()).to.deep.equal({})
    const written: unknown[] = []
    for (let second = 1; second <= 150; second++) {
      now = second * 1000
      written.push(away())
    }
    expect(written.filter((line) => line !== null)).to.deep.equal([
      { repeated: 60, lasted_ms: 60_000 },
      { repeated: 60, lasted_ms: 120_000 },
    ])
    expect(back()).to.deep.equal({ lasted_ms: 150_000 })
    expect(back(), 'it is over').to.equal(null)
    expect(away(), 'it begins anew').to.deep.equal({})
  })

  it('end only where they have begun', () => expect(back()).to.equal(null))

  it('are distinguished by the fields that name them', () => {
    const write = (event: 'provider-suspended' | 'provider-resumed', provider: string): unknown =>
      states.track(event, { port: 'search.serp', provider })
    expect([write('provider-suspended', 'one'), write('provider-suspended', 'two'), write('provider-suspended', 'one')]).to.deep.equal([
      {},
      {},
      null,
    ])
    expect([write('provider-resumed', 'two'), write('provider-suspended', 'one'), write('provider-suspended', 'two')]).to.deep.equal([
      { lasted_ms: 0 },
      null,
      {},
    ])
  })

  it('do not hold up what is no state', () => {
    for (let count = 0; count < 3; count++) expect(states.track('request', {})).to.deep.equal({})
  })
})
