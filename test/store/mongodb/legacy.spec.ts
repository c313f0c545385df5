import { expect } from 'chai'
import type { Store } from '../../../core/store/types.js'
import { rawMongo } from '../../support/mongodb.js'
import { useMongo } from '../../support/mongodb-store.js'
import { chargeOf, facts, furnish, holdOf, NOON } from '../../support/store.js'

describe('beside and after gateways of the previous version on MongoDB', () => {
  const bench = useMongo()
  let store: Store

  beforeEach(async () => {
    store = await bench.gateway()
    await furnish(store)
  })

  const db = async () => await rawMongo(bench.uri)
  const lease = async (expires: number) => {
    await (await db()).collection<{ _id: string; expires: number }>('leases').insertOne({ _id: 'old', expires })
  }
  const sweep = (change: object = {}) =>
    store.ledger.sweep({ now: NOON + 10_000, graceMs: 30_000, owner: 'gw1', deadOwners: [], ...change })
  /** What the previous version leaves on an account: the same entries and holds, `since` instead of a slot, no number, no deadline. */
  const asOld = async () => {
    const out = { 'out.$[].n': 1, 'out.$[].delivered': 1 } as const
    const accounts = (await db()).collection<{ _id: string }>('accounts')
    await accounts.updateMany({}, { $unset: { pub: 1, dl: 1, pseq: 1, done: 1, ...out }, $set: { since: NOON } })
  }
  const charged = async () => {
    const request = holdOf({ owner: 'old' })
    await store.ledger.hold(request)
    await store.ledger.charge(chargeOf(request.hold, 1000, { owner: 'old' }))
    return request.hold
  }
  const leases = (): Promise<Record<string, unknown>[]> => bench.documents('leases')

  it('F-41 what it left is published, released and given back, and its lease removed', async () => {
    const [lost, open] = [await charged(), holdOf({ owner: 'old', deadline: NOON + 1 })]
    await store.ledger.hold(open)
    await asOld()
    await lease(NOON)
    expect(await store.leases.dead(NOON + 60_000)).to.deep.equal(['old'])
    const report = await sweep({ now: NOON + 60_000, deadOwners: ['old'] })
    expect(report).to.deep.equal({ released: 1, refunded: 1, idempotency: 0, leases: 1, aside: [] })
    const entries = await bench.documents('entries')
    expect(entries.find(({ ref }) => ref === lost)?.delivered).to.equal(false)
    expect(await leases()).to.deep.equal([])
    const [account] = await bench.documents('accounts')
    expect(account).to.not.have.property('since')
    expect(account).to.include({ bal: 10_000, held: 0, open: 0 })
    expect(await bench.audit(NOON + 60_000)).to.deep.equal([])
  })

  it('F-41 a charge whose entry it marked, and one whose answer is kept, are left as they are', async () => {
    const [marked, kept] = [await charged(), await charged()]
    await asOld()
    await lease(NOON)
    await sweep()
    await (await db()).collection('entries').updateOne({ ref: marked }, { $set: { delivered: true } })
    const key = { acct: 'acc', fingerprint: 'f', att: 1, own: 'old', lock: NOON, once: false, expires: NOON + 1e9, bytes: 0 }
    const answer = { status: 200, headers: '{}', body: Buffer.from(''), gzip: false, file: null, amount: 1000, facts: facts() }
    await (
      await db()
    )
      .collection<{ _id: string; [field: string]: unknown }>('idempotency')
      .insertOne({ _id: 'k', ...key, st: 'ready', hid: kept, answer })
    expect(await sweep({ deadOwners: ['old'] })).to.include({ refunded: 0, leases: 1 })
    expect((await store.ledger.balance('acc'))?.balance).to.equal(8000)
  })

  it('F-41 one that lives is counted among the living, and nothing of it is touched', async () => {
    const hold = await charged()
    await asOld()
    await lease(NOON + 60_000)
    await store.leases.renew('gw1', NOON, 60_000)
    expect(await store.leases.live(NOON + 10_000)).to.deep.equal(['gw1', 'old'])
    expect(await sweep({ deadOwners: await store.leases.dead(NOON + 10_000) })).to.include({ released: 0, refunded: 0, leases: 0 })
    expect(await store.ledger.resolve('acc', hold)).to.include({ state: 'charged' })
    expect(await leases()).to.have.length(1)
  })

  it('an account that both versions charged keeps one order: each entry once, each counted once', async () => {
    await charged()
    await asOld()
    const own = holdOf()
    await store.ledger.hold(own)
    await store.ledger.charge(chargeOf(own.hold, 500))
    await store.ledger.publish?.({ instance: 'gw1', now: NOON })
    expect((await bench.documents('entries')).map(({ seq }) => seq)).to.deep.equal([1, 2, 3])
    const usage = await store.history.usage({ sinceDay: '2026-01-31' })
    expect(usage.map(({ calls, credits }) => [calls, credits])).to.deep.equal([[2, 1500]])
    expect(await bench.audit()).to.deep.equal([])
  })
})
