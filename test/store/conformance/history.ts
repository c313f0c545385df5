import { expect } from 'chai'
import type { Facts } from '../../../core/store/types.js'
import { chargeOf, DAY, facts, furnish, holdOf, NOON, releaseOf } from '../../support/store.js'
import type { Fixture } from './fixture.js'

/** Call history and daily usage: nothing lost, nothing twice. */
export function historyCases(fixture: Fixture): void {
  const history = () => fixture.store.history
  const ledger = () => fixture.store.ledger

  const call = async (change: Partial<Facts> = {}, at = NOON, amount = 100, account = 'acc') => {
    const request = holdOf({ account, now: at, deadline: at + 60_000 })
    await ledger().hold(request)
    const record = facts(change)
    if (record.error === null) await ledger().charge(chargeOf(request.hold, amount, { account, facts: record, now: at }))
    else await ledger().release(releaseOf(request.hold, { account, facts: record, now: at }))
    return request.hold
  }
  const ids = async (filter: object) => {
    const { rows, total } = await history().calls({ account: 'acc', limit: 50, offset: 0, ...filter })
    return { ids: rows.map((row) => row.id), total }
  }
  const scrape = { endpoint: '/v1/scrape', capability: 'pages.scrape' }

  beforeEach(() => furnish(fixture.store, 1_000_000))

  it('lists every charge and release, newest first, and no grant', async () => {
    const made = [await call(), await call({ error: 'transient', status: 503 }), await call(scrape, NOON, 250)]
    const { rows, total } = await history().calls({ account: 'acc', limit: 50, offset: 0 })
    expect(total).to.equal(3)
    expect(rows.map((row) => row.id)).to.deep.equal(made.toReversed())
    expect(rows.map((row) => row.credits_used)).to.deep.equal([250, 0, 100])
    expect(rows[0]).to.deep.include({ facts: facts(scrape), created_at: NOON })
  })

  it('pages hold still: limit and offset cut the same list', async () => {
    for (let count = 0; count < 23; count++) await call(count % 3 === 0 ? scrape : {})
    for (const filter of [{}, { endpoint: 'pages.scrape' }, { capabilities: ['pages.scrape', 'search.web'] }]) {
      const whole = await ids(filter)
      const parts: string[] = []
      for (let offset = 0; offset < whole.total; offset += 5) parts.push(...(await ids({ ...filter, limit: 5, offset })).ids)
      expect(parts).to.deep.equal(whole.ids)
      expect((await ids({ ...filter, offset: whole.total })).ids).to.deep.equal([])
    }
  })

  it('filters by path, capability, product and time, with the right total', async () => {
    const [a, b, c, d] = [
      await call({}, NOON - 2 * DAY),
      await call(scrape, NOON - DAY),
      await call({}, NOON),
      await call(scrape, NOON + 5),
    ]
    expect(await ids({ endpoint: '/v1/scrape' })).to.deep.equal({ ids: [d, b], total: 2 })
    expect(await ids({ endpoint: 'search.web' })).to.deep.equal({ ids: [c, a], total: 2 })
    expect(await ids({ endpoint: 'search' })).to.deep.equal({ ids: [], total: 0 })
    expect(await ids({ capabilities: ['pages.scrape'] })).to.deep.equal({ ids: [d, b], total: 2 })
    expect(await ids({ capabilities: [] })).to.deep.equal({ ids: [], total: 0 })
    expect(await ids({ endpoint: '/v1/scrape', capabilities: ['search.web'] })).to.deep.equal({ ids: [], total: 0 })
    expect(await ids({ since: NOON - DAY })).to.deep.equal({ ids: [d, c, b], total: 3 })
    expect(await ids({ since: NOON - DAY + 1 })).to.deep.equal({ ids: [d, c], total: 2 })
    expect(await ids({ since: NOON + 1, endpoint: 'search.web' })).to.deep.equal({ ids: [], total: 0 })
    expect(await ids({ since: NOON + 6 })).to.deep.equal({ ids: [], total: 0 })
    expect(await ids({ since: NOON, capabilities: ['pages.scrape', 'search.web', 'other'] })).to.deep.equal({ ids: [d, c], total: 2 })
  })

  it('T-09 shows an account its own calls only', async () => {
    await furnish(fixture.store, 1000, 'other')
    const foreign = await call({}, NOON, 100, 'other')
    const own = await call()
    expect(await ids({})).to.deep.equal({ ids: [own], total: 1 })
    expect((await ids({ account: 'other' })).ids).to.deep.equal([foreign])
    expect(await ids({ account: 'nobody' })).to.deep.equal({ ids: [], total: 0 })
  })

  it('a refunded call shows no credits and no second row', async () => {
    const hold = await call()
    await ledger().refund({ account: 'acc', hold, reason: 'client gone', owner: 'gw1', now: NOON })
    const { rows, total } = await history().calls({ account: 'acc', limit: 10, offset: 0 })
    expect(total).to.equal(1)
    expect(rows[0]).to.include({ id: hold, credits_used: 0 })
  })

  it('usage counts calls, errors and credits by UTC day and endpoint; a refund takes its credits off', async () => {
    const late = Date.UTC(2026, 0, 31, 23, 59, 59, 999)
    await call({}, late, 100)
    const refunded = await call({}, late + 1, 100)
    await call({}, late + 1, 30)
    await call({ error: 'transient', status: 503 }, late + 1)
    await call(scrape, late + 1, 500)
    await ledger().refund({ account: 'acc', hold: refunded, reason: 'client gone', owner: 'gw1', now: late + 2 })
    const search = { endpoint: '/v1/search', capability: 'search.web' }
    expect(await history().usage({ account: 'acc', sinceDay: '2026-01-31' })).to.have.deep.members([
      { day: '2026-01-31', ...search, calls: 1, errors: 0, credits: 100 },
      { day: '2026-02-01', ...search, calls: 3, errors: 1, credits: 30 },
      { day: '2026-02-01', ...scrape, calls: 1, errors: 0, credits: 500 },
    ])
    expect(await history().usage({ account: 'acc', sinceDay: '2026-02-01', capabilities: ['pages.scrape'] })).to.deep.equal([
      { day: '2026-02-01', ...scrape, calls: 1, errors: 0, credits: 500 },
    ])
    expect(await history().usage({ account: 'nobody', sinceDay: '2026-01-31' })).to.deep.equal([])
  })

  it('refused calls count as calls and errors, absolute per instance: repeats and late messages are harmless', async () => {
    await call({}, NOON, 100)
    const row = { account: 'acc', day: '2026-01-31', endpoint: '/v1/search', capability: 'search.web', status: 402 }
    await history().refused([{ ...row, instance: 'gw1', count: 3 }])
    await history().refused([
      { ...row, instance: 'gw1', count: 3 },
      { ...row, instance: 'gw2', count: 4 },
    ])
    await history().refused([
      { ...row, instance: 'gw1', count: 2 },
      { ...row, account: 'nobody', instance: 'gw1', count: 9 },
    ])
    const expected = { day: '2026-01-31', endpoint: '/v1/search', capability: 'search.web', calls: 8, errors: 7, credits: 100 }
    expect(await history().usage({ account: 'acc', sinceDay: '2026-01-31' })).to.deep.equal([expected])
    expect(await history().usage({ sinceDay: '2026-01-31' })).to.deep.equal([expected])
    expect((await ids({})).total, 'refused calls are never listed').to.equal(1)
  })

  it('a day that is none is a RangeError', async () => {
    expect(
      await history()
        .usage({ sinceDay: 'yesterday' })
        .catch((error: unknown) => error),
    ).to.be.instanceOf(RangeError)
  })
}
