import { expect } from 'chai'
import { answer, chargeOf, claimOf, DAY, facts, furnish, holdOf, NOON } from '../../support/store.js'
import type { Fixture } from './fixture.js'

/** Crash recovery: what the sweeper does, and what it leaves alone. */
export function sweepCases(fixture: Fixture): void {
  const ledger = () => fixture.store.ledger
  const sweep = (change: object = {}) => ledger().sweep({ now: NOON, graceMs: 30_000, owner: 'gw1', deadOwners: [], ...change })
  const held = async (change = {}) => {
    const request = holdOf(change)
    await ledger().hold(request)
    return request.hold
  }
  const charged = async (owner: string) => {
    const hold = await held({ owner })
    await ledger().charge(chargeOf(hold, 1000, { owner }))
    return hold
  }

  beforeEach(() => furnish(fixture.store))

  it('N-12 releases a hold once deadline and grace have passed, not before', async () => {
    const hold = await held({ deadline: NOON + 1000 })
    expect(await sweep({ now: NOON + 31_000 })).to.include({ released: 0 })
    expect(await sweep({ now: NOON + 31_001 })).to.include({ released: 1 })
    expect(await sweep({ now: NOON + 31_001 })).to.include({ released: 0 })
    expect(await ledger().resolve('acc', hold)).to.include({ state: 'released' })
    expect(await ledger().balance('acc')).to.include({ held: 0, open: 0, balance: 10_000 })
  })

  it('at start takes every hold of another instance, and none of its own', async () => {
    const [dead, own] = [await held({ owner: 'old' }), await held({ owner: 'gw1' })]
    expect(await sweep({ deadOwners: 'all-but-owner' })).to.include({ released: 1 })
    expect(await ledger().resolve('acc', dead)).to.include({ state: 'released' })
    expect(await ledger().resolve('acc', own)).to.include({ state: 'open' })
  })

  it('writes the details of the hold into the history of a call that was lost', async () => {
    const call = { endpoint: '/v1/scrape', mode: 'fast', product: 'browser', request_id: 'req_9' }
    const hold = await held({ owner: 'old', capability: 'pages.scrape', call })
    await sweep({ deadOwners: 'all-but-owner', now: NOON + 500 })
    const { rows, total } = await fixture.store.history.calls({ account: 'acc', limit: 10, offset: 0 })
    expect(total).to.equal(1)
    expect(rows[0]).to.deep.include({ id: hold, credits_used: 0, created_at: NOON + 500 })
    expect(rows[0]?.facts).to.include({ ...call, capability: 'pages.scrape', key_id: 'key_1', status: 503, error: 'transient', ms: 500 })
  })

  it('refunds charges of dead owners that were never delivered, once', async () => {
    const [lost, delivered, alive] = [await charged('old'), await charged('old'), await charged('gw1')]
    await ledger().delivered([{ account: 'acc', ref: delivered }])
    expect(await sweep({ deadOwners: ['old', 'older'] })).to.include({ refunded: 1 })
    expect(await sweep({ deadOwners: ['old'] })).to.include({ refunded: 0 })
    expect(await sweep({ deadOwners: 'all-but-owner' })).to.include({ refunded: 0 })
    expect(await ledger().balance('acc')).to.include({ balance: 8000 })
    const refs = (await ledger().entries({ account: 'acc', limit: 20 })).map((entry) => entry.ref)
    expect(refs).to.include(`rf:${lost}`).and.not.include(`rf:${alive}`)
  })

  it('a lease is not ended while an answer of it is undelivered, and its charge is refunded once the lease ran out (L7)', async () => {
    await fixture.store.leases.renew('old', NOON, 20_000)
    const [first, second] = [await charged('old'), await charged('old')]
    await ledger().delivered([{ account: 'acc', ref: first }])
    expect(await fixture.store.leases.end('old')).to.equal(false)
    expect(await fixture.store.leases.dead(NOON + 20_001)).to.deep.equal(['old'])
    expect(await sweep({ now: NOON + 20_001, deadOwners: ['old'] })).to.include({ refunded: 1 })
    expect(await ledger().resolve('acc', second)).to.include({ state: 'refunded' })
    await fixture.store.leases.renew('new', NOON, 20_000)
    const last = await charged('new')
    await ledger().delivered([{ account: 'acc', ref: last }])
    expect(await fixture.store.leases.end('new')).to.equal(true)
    expect(await fixture.store.leases.live(NOON)).to.deep.equal([])
  })

  it('keeps a charge whose answer is kept for replay, also when that has expired (L7)', async () => {
    const hold = await held({ owner: 'old' })
    await fixture.store.idempotency.claim(claimOf({ hold, owner: 'old' }))
    await fixture.store.idempotency.keep({ account: 'acc', key: 'idem', attempt: 1, hold, response: answer(), now: NOON })
    await ledger().charge(chargeOf(hold, 1000, { owner: 'old', delivery: 'none' }))
    expect(await sweep({ deadOwners: 'all-but-owner' })).to.include({ refunded: 0, idempotency: 0 })
    expect(await sweep({ deadOwners: 'all-but-owner', now: NOON + DAY })).to.include({ refunded: 0, idempotency: 1 })
    expect(await sweep({ deadOwners: 'all-but-owner', now: NOON + DAY })).to.include({ refunded: 0 })
    expect(await ledger().balance('acc')).to.include({ balance: 9000 })
  })

  it('a charge that awaits no delivery is kept when its gateway dies, and is refunded on request (L7)', async () => {
    const hold = await held({ owner: 'old' })
    await ledger().charge(chargeOf(hold, 1000, { owner: 'old', delivery: 'none' }))
    await fixture.store.leases.renew('old', NOON - 100, 50)
    expect(await sweep({ deadOwners: ['old'] })).to.include({ refunded: 0 })
    expect(await sweep({ deadOwners: 'all-but-owner' })).to.include({ refunded: 0 })
    expect(await ledger().balance('acc')).to.include({ balance: 9000 })
    const refund = await ledger().refund({ account: 'acc', hold, reason: 'operator', owner: 'cli', now: NOON })
    expect(refund).to.include({ ok: true, applied: true, balance: 10_000 })
  })

  it('a late charge is kept when its gateway dies (L7)', async () => {
    const late = {
      account: 'acc',
      ref: 'late:h_1',
      kind: 'charge',
      amount: -1000,
      note: null,
      facts: facts(),
      owner: 'old',
      now: NOON,
    } as const
    expect(await ledger().post(late)).to.include({ ok: true, applied: true })
    expect(await sweep({ deadOwners: 'all-but-owner' })).to.include({ refunded: 0 })
    expect(await ledger().balance('acc')).to.include({ balance: 9000 })
  })

  it('drops idempotency records and leases that are over', async () => {
    await fixture.store.idempotency.claim(claimOf({ key: 'short', expires: NOON + 10, lockUntil: NOON + 10 }))
    await fixture.store.idempotency.claim(claimOf({ key: 'long' }))
    await fixture.store.leases.renew('old', NOON, 10)
    expect(await sweep({ now: NOON + 10, deadOwners: ['old'] })).to.include({ idempotency: 1, leases: 1 })
    expect(await fixture.store.idempotency.claim(claimOf({ key: 'long' }))).to.include({ state: 'running' })
    expect(await fixture.store.leases.dead(NOON + 100)).to.deep.equal([])
  })

  it('many sweepers at once do what one would', async () => {
    await Promise.all(Array.from({ length: 5 }, () => charged('old')))
    await Promise.all(Array.from({ length: 4 }, () => held({ owner: 'old' })))
    const reports = await Promise.all(Array.from({ length: 6 }, () => sweep({ deadOwners: 'all-but-owner' })))
    expect(reports.reduce((sum, report) => sum + report.refunded, 0)).to.equal(5)
    expect(reports.reduce((sum, report) => sum + report.released, 0)).to.equal(4)
    expect(await ledger().balance('acc')).to.include({ balance: 10_000, held: 0, open: 0 })
  })

  it('takes no charge of nothing for a loss', async () => {
    const hold = await held({ amount: 0, owner: 'old' })
    await ledger().charge(chargeOf(hold, 0, { owner: 'old', facts: facts() }))
    await sweep({ deadOwners: 'all-but-owner' })
    expect(await ledger().balance('acc')).to.include({ balance: 10_000 })
  })
}
