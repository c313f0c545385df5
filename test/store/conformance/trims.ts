import { expect } from 'chai'
import type { Entry, Facts } from '../../../core/store/types.js'
import { chargeOf, DAY, facts, furnish, holdOf, keyOf, NOON, releaseOf } from '../../support/store.js'
import type { Fixture } from './fixture.js'

/** Retention: old entries forget their calls and nothing else. */
export function trimCases(fixture: Fixture): void {
  const ledger = () => fixture.store.ledger
  const trim = async (before: number) => {
    await ledger().publish?.({ instance: 'gw1', now: NOON })
    return await ledger().trim({ before })
  }
  const entries = () => ledger().entries({ limit: 2000 })
  const mute = (entry: Entry): Entry => ({ ...entry, facts: null })

  /** A call whose answer was written, so that its entry is where every gateway sees it. */
  const call = async (at: number, change: Partial<Facts> = {}, hold = holdOf({ now: at, deadline: at + 60_000 })) => {
    await ledger().hold(hold)
    if (change.error === undefined) await ledger().charge(chargeOf(hold.hold, 100, { now: at, facts: facts(change) }))
    else await ledger().release(releaseOf(hold.hold, { now: at, facts: facts(change) }))
    await ledger().delivered([{ account: 'acc', ref: hold.hold }])
    return hold.hold
  }
  const ids = async (filter: object = {}) => {
    const { rows, total } = await fixture.store.history.calls({ account: 'acc', limit: 50, offset: 0, ...filter })
    return { ids: rows.map((row) => row.id), total }
  }

  beforeEach(() => furnish(fixture.store))

  it('entries older than the time given lose their facts, to the millisecond, and nothing else', async () => {
    const refunded = await call(NOON - 2 * DAY)
    await ledger().refund({ account: 'acc', hold: refunded, reason: 'client gone', owner: 'gw1', now: NOON - 2 * DAY })
    await call(NOON - DAY - 1, { error: 'transient', status: 503 })
    await call(NOON - DAY)
    await call(NOON)
    const before = await entries()
    const balance = await ledger().balance('acc')
    expect(await trim(NOON - DAY)).to.equal(3)
    expect(await entries()).to.deep.equal(before.map((entry) => (entry.at < NOON - DAY ? mute(entry) : entry)))
    expect(before.filter((entry) => entry.at < NOON - DAY)).to.have.length(3)
    expect(await ledger().balance('acc')).to.deep.equal(balance)
    expect(await trim(NOON - DAY), 'again there is nothing').to.equal(0)
  })

  it('calls that were trimmed are listed no more, and every total agrees; usage and credits stay', async () => {
    const scrape = { endpoint: '/v1/scrape', capability: 'pages.scrape' }
    await call(NOON - 3 * DAY)
    await call(NOON - 2 * DAY - 5, scrape)
    const [a, b, c] = [await call(NOON - 2 * DAY), await call(NOON - DAY, scrape), await call(NOON)]
    const usage = await fixture.store.history.usage({ sinceDay: '2026-01-01' })
    await trim(NOON - 2 * DAY)
    expect(await ids()).to.deep.equal({ ids: [c, b, a], total: 3 })
    expect(await ids({ limit: 1, offset: 1 })).to.deep.equal({ ids: [b], total: 3 })
    expect(await ids({ endpoint: 'search.web' })).to.deep.equal({ ids: [c, a], total: 2 })
    expect(await ids({ capabilities: ['pages.scrape'] })).to.deep.equal({ ids: [b], total: 1 })
    expect(await ids({ since: NOON - 9 * DAY })).to.deep.equal({ ids: [c, b, a], total: 3 })
    expect(await ids({ since: NOON - DAY })).to.deep.equal({ ids: [c, b], total: 2 })
    await trim(NOON + 1)
    expect(await ids()).to.deep.equal({ ids: [], total: 0 })
    expect(await ids({ endpoint: '/v1/scrape' })).to.deep.equal({ ids: [], total: 0 })
    expect(await fixture.store.history.usage({ sinceDay: '2026-01-01' })).to.deep.equal(usage)
    expect(usage.map(({ calls }) => calls)).to.deep.equal([1, 1, 1, 1, 1])
    const last = await call(NOON + 2)
    expect(await ids(), 'the next call is listed alone').to.deep.equal({ ids: [last], total: 1 })
  })

  it('an earlier time brings nothing back and takes nothing', async () => {
    await call(NOON - DAY)
    const last = await call(NOON)
    expect(await trim(NOON)).to.equal(1)
    expect(await trim(NOON - 9 * DAY)).to.equal(0)
    expect(await ids()).to.deep.equal({ ids: [last], total: 1 })
  })

  it('what a trimmed call was is still known to the money: it stays charged, its id stays used', async () => {
    const hold = holdOf()
    await call(NOON, {}, hold)
    await trim(NOON + 1)
    expect(await ledger().charge(chargeOf(hold.hold, 100))).to.include({ ok: true, already: true, amount: 100 })
    expect(await ledger().release(releaseOf(hold.hold))).to.deep.equal({ ok: false, why: 'charged' })
    expect(await ledger().resolve('acc', hold.hold)).to.include({ state: 'charged', amount: 100 })
    expect(await ledger().hold(hold)).to.deep.equal({ ok: false, why: 'duplicate' })
  })

  it('a trimmed charge is given back once, to its account, its key and the cap of its day', async () => {
    await fixture.store.keys.create(keyOf({ id: 'capped', credit_limit: 1000, credit_limit_per_day: 1000 }))
    const capped = { key: 'capped', capped: true, amount: 1000 }
    const hold = holdOf(capped)
    await ledger().hold(hold)
    await ledger().charge(chargeOf(hold.hold, 1000, { facts: facts({ key_id: 'capped' }) }))
    await ledger().delivered([{ account: 'acc', ref: hold.hold }])
    await trim(NOON + 1)
    expect(await ledger().hold(holdOf(capped))).to.deep.equal({ ok: false, why: 'capped' })
    const order = { account: 'acc', hold: hold.hold, reason: 'operator', owner: 'cli', now: NOON + 2 }
    expect(await ledger().refund(order)).to.include({ ok: true, applied: true, balance: 10_000 })
    expect(await ledger().refund(order)).to.include({ ok: true, applied: false, balance: 10_000 })
    await ledger().delivered([{ account: 'acc', ref: hold.hold }])
    expect((await fixture.store.keys.get('acc', 'capped'))?.credits_used).to.equal(0)
    expect((await ledger().hold(holdOf(capped))).ok, 'the cap of today has it back').to.equal(true)
    expect((await entries()).at(-1)).to.deep.include({ ref: `rf:${hold.hold}`, amount: 1000, facts: null })
  })

  it('many gateways at once take each entry once', async () => {
    for (let count = 0; count < 10; count++) await call(NOON + count)
    const counts = await Promise.all(Array.from({ length: 5 }, () => trim(NOON + 8)))
    expect(counts.reduce((sum, count) => sum + count, 0)).to.equal(8)
    expect((await entries()).filter((entry) => entry.facts !== null).map((entry) => entry.at)).to.deep.equal([NOON + 8, NOON + 9])
  })
}
