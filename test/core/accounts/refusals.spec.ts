import { expect } from 'chai'
import type { HistoryStore, RefusedRow } from '../../../core/store/types.js'
import { Refusals } from '../../../core/accounts/refusals.js'
import { HandClock } from '../../support/outbound.js'
import { settle } from '../../support/unit.js'

describe('counters of refused calls', () => {
  const bench = () => {
    const clock = new HandClock()
    const state = { away: false, written: [] as (readonly RefusedRow[])[], logged: 0 }
    const refused = (rows: readonly RefusedRow[]): Promise<void> =>
      state.away ? Promise.reject(new Error('away')) : Promise.resolve(void state.written.push(rows))
    const refusals = new Refusals({ refused } as unknown as HistoryStore, clock, 'gw1', () => void state.logged++)
    const pass = async (ms: number): Promise<void> => {
      clock.advance(ms)
      await settle()
    }
    return { state, refusals, pass, counts: () => state.written.map((rows) => rows.map(({ count }) => count)) }
  }

  it('are written a second after the first, with the counts of that moment, and again only when they grow', async () => {
    const { refusals, pass, counts } = bench()
    for (let count = 0; count < 3; count++) refusals.count('acc', '/v1/x', 'x', 429)
    await pass(999)
    expect(counts()).to.deep.equal([])
    await pass(1)
    await pass(10_000)
    refusals.count('acc', '/v1/x', 'x', 429)
    await pass(1_000)
    expect(counts()).to.deep.equal([[3], [4]])
  })

  it('that could not be written are written when the store is back, though no call is refused any more', async () => {
    const { state, refusals, pass, counts } = bench()
    state.away = true
    refusals.count('acc', '/v1/x', 'x', 402)
    await pass(1_000)
    await pass(1_000)
    expect(state.logged).to.equal(2)
    state.away = false
    await pass(1_000)
    expect(counts()).to.deep.equal([[1]])
  })

  it('are written at the close, which waits for no store that is away', async () => {
    const { state, refusals, pass, counts } = bench()
    refusals.count('acc', '/v1/x', 'x', 402)
    await refusals.close()
    expect(counts()).to.deep.equal([[1]])
    refusals.count('acc', '/v1/x', 'x', 402)
    state.away = true
    await refusals.close()
    state.away = false
    await pass(10_000)
    expect(counts(), 'nothing goes on after the close').to.deep.equal([[1]])
  })
})
