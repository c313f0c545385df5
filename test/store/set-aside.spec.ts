import { DatabaseSync } from '@photostructure/sqlite'
import { expect } from 'chai'
import { auditLedger } from '../../scripts/capstan/audit/ledger.js'
import type { Store } from '../../core/store/types.js'
import { answer, artifactOf, chargeOf, claimOf, furnish, holdOf, NOON, temporaryStore } from '../support/store.js'

describe('ledger on SQLite, sweeps', () => {
  let opened: Awaited<ReturnType<typeof temporaryStore>>
  let store: Store
  beforeEach(async () => {
    opened = await temporaryStore({ busyMs: 50 })
    store = opened.store
    await furnish(store)
    await furnish(store, 10_000, 'other')
  })
  afterEach(() => opened.end())

  const byHand = (sql: string) => {
    const db = new DatabaseSync(opened.file)
    db.exec(sql)
    db.close()
  }
  const sweep = (now = NOON, change: object = {}) =>
    store.ledger.sweep({ now, graceMs: 0, owner: 'new', deadOwners: 'all-but-owner', ...change })
  const held = async (account: string) => {
    const request = holdOf({ account, owner: 'old' })
    await store.ledger.hold(request)
    return request.hold
  }
  const charged = async (account: string) => {
    const hold = await held(account)
    await store.ledger.charge(chargeOf(hold, 1000, { account, owner: 'old' }))
    return hold
  }
  /** The account's next entry takes a number that is there. */
  const BREAK = `update accounts set seq = seq - 1 where id = 'acc'`
  const MEND = `update accounts set seq = seq + 1 where id = 'acc'`

  describe('an account whose books cannot be written', () => {
    it('is set aside alone: the others are swept, and calls on it are refused by name', async () => {
      await charged('acc')
      for (const account of ['acc', 'other']) await held(account)
      await charged('other')
      byHand(BREAK)
      const first = await sweep()
      expect(first).to.include({ released: 1, refunded: 1 })
      expect(first.aside.map(({ account }) => account)).to.deep.equal(['acc'])
      expect(first.aside[0]?.error).to.match(/UNIQUE constraint failed/)
      expect(await sweep(), 'passed over').to.deep.include({ released: 0, refunded: 0, aside: first.aside })
      const results = await Promise.allSettled([
        store.ledger.hold(holdOf({ account: 'acc' })),
        store.ledger.hold(holdOf({ account: 'other' })),
      ])
      expect(results[0]).to.have.nested.include({ 'reason.name': 'StoreUnavailable', 'reason.sent': false })
      expect(results[0])
        .to.have.nested.property('reason.message')
        .that.matches(/^account acc is set aside .*UNIQUE constraint failed/)
      expect(results[1]).to.have.nested.include({ 'value.ok': true })
      expect(await store.ledger.balance('acc'), 'undone wholly').to.include({ balance: 9000, held: 1000, open: 1 })
    })

    it('is restored when a check after a minute finds its books in order, and the leftovers of its gateway are undone then', async () => {
      const lost = await charged('acc')
      await held('acc')
      byHand(BREAK)
      await sweep()
      byHand(MEND)
      expect((await sweep(NOON + 59_999, { deadOwners: [] })).aside).to.have.length(1)
      expect(await sweep(NOON + 60_000, { deadOwners: [] })).to.deep.include({ released: 1, refunded: 1, aside: [] })
      expect((await store.ledger.hold(holdOf())).ok).to.equal(true)
      expect(await store.ledger.balance('acc')).to.include({ balance: 10_000, held: 1000 })
      expect((await store.ledger.entries({ account: 'acc', limit: 9 })).map(({ ref }) => ref)).to.include(`rf:${lost}`)
      expect(auditLedger({ file: opened.file, now: NOON }).problems).to.deep.equal([])
    })

    it('stays aside while its books differ', async () => {
      await charged('acc')
      await held('acc')
      byHand(BREAK)
      await sweep()
      expect((await sweep(NOON + 60_000)).aside).to.have.length(1)
      byHand(`${MEND}; update accounts set held = held + 1 where id = 'acc'`)
      expect((await sweep(NOON + 120_000)).aside).to.have.length(1)
    })

    it('does not keep a new process from starting: its first sweep goes through', async () => {
      await charged('acc')
      await held('acc')
      await held('other')
      byHand(BREAK)
      await store.close()
      const next = await temporaryStore({ file: opened.file })
      store = next.store
      expect(await sweep()).to.include({ released: 1 })
      expect((await sweep()).aside).to.have.length(1)
      await next.end()
    })
  })

  it('a database that is locked sets nothing aside', async () => {
    await held('acc')
    const other = new DatabaseSync(opened.file)
    other.exec('begin immediate')
    const error: unknown = await sweep().catch((thrown: unknown) => thrown)
    expect(error).to.include({ name: 'StoreUnavailable', sent: false })
    other.exec('rollback')
    other.close()
    expect(await sweep()).to.deep.include({ released: 1, aside: [] })
  })

  it('a lease of a gateway with more left than one sweep takes is kept until all is refunded (L7)', async () => {
    await store.leases.renew('old', NOON - 100, 50)
    const refs = Array.from({ length: 2050 }, (_, index) => `lost ${String(index).padStart(4, '0')}`)
    await store.ledger.post({ account: 'acc', ref: 'more', kind: 'grant', amount: 1e7, note: null, facts: null, owner: 'cli', now: NOON })
    await Promise.all(refs.map((hold) => store.ledger.hold(holdOf({ hold, owner: 'old', amount: 10, maxOpen: 5000 }))))
    await Promise.all(refs.map((hold) => store.ledger.charge(chargeOf(hold, 10, { owner: 'old' }))))
    expect(await sweep(NOON, { deadOwners: ['old'] })).to.include({ refunded: 2000, leases: 0 })
    expect(await store.leases.dead(NOON)).to.deep.equal(['old'])
    expect(await sweep(NOON, { deadOwners: ['old'] })).to.include({ refunded: 50, leases: 1 })
    expect(await store.ledger.balance('acc')).to.include({ balance: 10_010_000 })
  })

  it('expired answers are forgotten five hundred at once, the oldest first, and what they took is given back exactly', async () => {
    await store.artifacts.reserve(artifactOf(), 10_000)
    const body = new Uint8Array(10)
    for (let index = 0; index < 520; index++) {
      const account = index % 2 === 0 ? 'acc' : 'other'
      const claim = claimOf({ account, key: `k${index}`, expires: NOON + index, lockUntil: NOON })
      await store.idempotency.claim(claim)
      const place = { account, key: `k${index}`, attempt: 1, hold: claim.hold }
      await store.idempotency.keep({ ...place, response: answer({ body }), now: NOON })
    }
    expect(await sweep(NOON + 600)).to.include({ idempotency: 500 })
    expect([await store.artifacts.used('acc'), await store.artifacts.used('other')]).to.deep.equal([200, 100])
    expect(await store.idempotency.claim(claimOf({ account: 'acc', key: 'k500', now: NOON }))).to.include({ state: 'kept' })
    expect(await sweep(NOON + 600)).to.include({ idempotency: 20 })
    expect([await store.artifacts.used('acc'), await store.artifacts.used('other')]).to.deep.equal([100, 0])
  })
})
