import { expect } from 'chai'
import { History } from '../../../core/accounts/history.js'
import type { HistoryStore } from '../../../core/store/types.js'
import { HandClock } from '../../support/outbound.js'

const DAY_MS = 86_400_000

describe('days of the history', () => {
  it('F-34 are counted back from a time that does not go back with the clock, and goes forward with it', async () => {
    const clock = new HandClock()
    const since: (number | undefined)[] = []
    const days: string[] = []
    const store: Pick<HistoryStore, 'calls' | 'usage'> = {
      calls: (filter) => (since.push(filter.since), Promise.resolve({ rows: [], total: 0 })),
      usage: (filter) => (days.push(filter.sinceDay), Promise.resolve([])),
    }
    const history = new History({ ...store, refused: () => Promise.reject(new Error('nothing is refused')) }, clock)
    const readHistory = async (): Promise<void> => {
      await history.calls('acc', { days: 1, limit: 1, offset: 0, capabilities: null, endpoint: undefined })
      await history.stats('acc', 1, null)
    }
    const began = clock.now()
    await readHistory()
    clock.jump(-DAY_MS)
    clock.advance(60_000)
    await readHistory()
    clock.jump(4 * DAY_MS)
    await readHistory()
    expect(since).to.deep.equal([began - DAY_MS, began - DAY_MS + 60_000, began + 2 * DAY_MS + 60_000])
    expect(days).to.deep.equal(['2026-01-01', '2026-01-01', '2026-01-04'])
  })
})
