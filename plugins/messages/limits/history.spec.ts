import { expect } from 'chai'
import { historyOf, WEEK, windowOf } from './history.js'

describe('counts of past days', () => {
  it('have until 2134 a window that holds their day and the seven that follow, of at most 31 days', () => {
    for (let day = 20_000; day < 60_000; day++) {
      const days = windowOf(day)
      expect(days).to.be.within(WEEK + 1, 31)
      expect(Math.floor((day + WEEK) / days), `day ${String(day)}`).to.equal(Math.floor(day / days))
    }
  })

  it('are one for each country and day', () => {
    const names = [historyOf('DE', 20_000), historyOf('DE', 20_001), historyOf('FR', 20_000)].map(([, { subject }]) => subject)
    expect(new Set(names).size).to.equal(3)
  })
})
