import { expect } from 'chai'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { auditLedger } from '../../core/audit/ledger.js'
import { packageRoot } from '../../core/runtime/root.js'
import type { Store } from '../../core/store/types.js'
import { MIGRATIONS } from '../../core/store/sqlite/schema.js'
import { openSqliteStore } from '../../core/store/sqlite/store.js'
import { ALL_KEYS, chargeOf, DAY, facts, fresh, holdOf, NOON, TemporaryFolder } from '../support/store.js'

/**
 * A ledger that the version with schema 2 wrote: check that version out, build it, and give
 * `node test/store/fixtures/make-ledger.mjs CHECKOUT test/store/fixtures/ledger-schema-2.db.gz`.
 */
const BEFORE = join(packageRoot(), 'test/store/fixtures/ledger-schema-2.db.gz')

describe('F-41 a ledger of the version before, brought forward', () => {
  let folder: TemporaryFolder
  let store: Store
  beforeEach(async () => {
    folder = new TemporaryFolder()
    writeFileSync(folder.file(), gunzipSync(readFileSync(BEFORE)))
    expect(auditLedger({ file: folder.file(), now: NOON }).problems, 'before').to.deep.equal([])
    store = await openSqliteStore({ file: folder.file(), thread: 'same' })
  })
  afterEach(async () => {
    await store.close()
    folder.remove()
  })

  const audit = (now = NOON) => auditLedger({ file: folder.file(), now }).problems
  const listed = async (filter: object = {}) => {
    const { rows, total } = await store.history.calls({ account: 'acc', limit: 50, offset: 0, ...filter })
    return { ids: rows.map(({ id }) => id), total }
  }
  const call = async (now: number, change = {}) => {
    const hold = holdOf({ hold: fresh('new'), now, deadline: now + 60_000, auth: 1, ...change })
    expect((await store.ledger.hold(hold)).ok).to.equal(true)
    await store.ledger.charge(chargeOf(hold.hold, 100, { now, facts: facts({ key_id: hold.key }) }))
    await store.ledger.delivered([{ account: 'acc', ref: hold.hold }])
    return hold.hold
  }

  it('keeps balances, entries, calls, keys and caps, and the books agree', async () => {
    expect(MIGRATIONS.length).to.be.greaterThan(2)
    expect(audit()).to.deep.equal([])
    expect(await store.ledger.balance('acc')).to.deep.equal({
      balance: 94_939,
      held: 2000,
      available: 92_939,
      overage: 0,
      open: 2,
      seq: 19,
    })
    const entries = await store.ledger.entries({ account: 'acc', limit: 100 })
    expect(
      entries.filter(({ kind, facts: said }) => kind !== 'grant' && said === null).map(({ at }) => at < NOON - 30 * DAY),
    ).to.deep.equal([...[true, true, true, true]])
    expect((await listed()).total).to.equal(11)
    expect((await listed({ endpoint: '/v1/scrape' })).total).to.equal(1)
    const { keys } = await store.keys.list('acc', ALL_KEYS)
    expect(keys.map(({ id, caps, credits_used }) => [id, caps, credits_used])).to.deep.equal([
      ['capped', ['capped'], 500],
      ['key_1', [], 5311],
    ])
    expect(await store.keys.get('acc', 'revoked')).to.deep.include({ caps: ['revoked'], credits_used: 300 })
  })

  it('goes on: new calls stand before the old ones, caps go on where they stood, grants of old form credit nothing', async () => {
    const before = await listed()
    const next = await call(NOON + 1)
    expect(await listed()).to.deep.equal({ ids: [next, ...before.ids], total: 12 })
    for (let offset = 0; offset < 12; offset++)
      expect((await listed({ limit: 1, offset })).ids, `offset ${offset}`).to.deep.equal([[next, ...before.ids][offset]])
    expect((await listed({ endpoint: '/v1/search', limit: 2 })).ids[0]).to.equal(next)
    const capped = { hold: fresh('new'), key: 'capped', capped: true, auth: 1, now: NOON }
    expect(await store.ledger.hold(holdOf({ ...capped, amount: 18_501 }))).to.deep.equal({ ok: false, why: 'capped' })
    expect(await store.ledger.charge(chargeOf('open capped', 1000, { facts: facts({ key_id: 'capped' }) }))).to.include({ ok: true })
    expect(await store.ledger.hold(holdOf({ ...capped, hold: fresh('new'), amount: 18_500 }))).to.include({ ok: true })
    const grant = { account: 'acc', kind: 'grant', amount: 50, note: null, facts: null, owner: 'cli', now: NOON } as const
    expect(await store.ledger.post({ ...grant, ref: 'op:bonus', formerRef: 'bonus' })).to.include({ ok: true, applied: false })
    expect(audit()).to.deep.equal([])
  })

  it('is trimmed old and new, each exactly, and given back across the two forms', async () => {
    const next = await call(NOON + DAY)
    const refund = { account: 'acc', hold: 'kept', reason: 'operator', owner: 'cli', now: NOON + DAY }
    expect(await store.ledger.refund(refund)).to.include({ ok: true, applied: true })
    let trimmed = 0
    for (let count = 1; count > 0; trimmed += count) count = await store.ledger.trim({ before: NOON + 1 })
    expect(trimmed, 'eleven calls and one refund').to.equal(12)
    expect(await listed()).to.deep.equal({ ids: [next], total: 1 })
    expect(audit(NOON + DAY)).to.deep.equal([])
    for (let count = 1; count > 0;) count = await store.ledger.trim({ before: NOON + 2 * DAY })
    expect(await listed()).to.deep.equal({ ids: [], total: 0 })
    const last = await call(NOON + 3 * DAY)
    expect(await listed()).to.deep.equal({ ids: [last], total: 1 })
    expect(audit(NOON + 3 * DAY)).to.deep.equal([])
  })

  it('counts of refused calls of gateways that have ended become one row at the first start, and the sum stays', async () => {
    const usage = () => store.history.usage({ account: 'acc', sinceDay: '2026-01-01' })
    const before = await usage()
    await store.ledger.sweep({ now: NOON, graceMs: 0, owner: 'new', deadOwners: 'all-but-owner' })
    const row = { account: 'acc', day: '2026-01-31', endpoint: '/v1/search', capability: 'search.web', status: 402 }
    await store.history.refused([{ ...row, instance: 'new', count: 2 }])
    await store.ledger.sweep({ now: NOON, graceMs: 0, owner: 'newer', deadOwners: 'all-but-owner' })
    const calls = (rows: typeof before) =>
      rows.filter(({ endpoint, day }) => endpoint === '/v1/search' && day === '2026-01-31').reduce((sum, each) => sum + each.calls, 0)
    expect(calls(await usage()) - calls(before), 'two more').to.equal(2)
  })
})
