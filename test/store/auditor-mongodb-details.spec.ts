import { expect } from 'chai'
import { fillLedger } from '../support/ledger-sample.js'
import { Hand, type Corruption } from '../support/ledger-hand.js'
import type { Store } from '../../core/store/types.js'
import { rawMongo } from '../support/mongodb.js'
import { useMongo } from '../support/mongodb-store.js'
import { chargeOf, DAY, NOON } from '../support/store.js'

describe('auditor of MongoDB, details kept apart', () => {
  const bench = useMongo()
  let store: Store

  beforeEach(async () => {
    store = await bench.gateway()
    await fillLedger(store)
  })

  const problems = (now = NOON + 1) => bench.audit(now)
  /** A delivery publishes all that its account has made. */
  const hand = async () => {
    await store.ledger.delivered(['acc', 'other'].map((account) => ({ account, ref: 'none' })))
    return new Hand(await rawMongo(bench.uri))
  }

  it('finds nothing, whatever part of them was trimmed', async () => {
    const db = await hand()
    await db.table('retention').insertOne({ _id: 'facts', before: NOON + 1 })
    for (const seq of [5, 2, 10, 8, 3, 12, 9, 4, 6, 7, 11]) {
      await db.table('details').deleteOne({ acct: 'acc', seq })
      expect(await problems(), `after entry ${seq}`).to.deep.equal([])
    }
  })

  it('finds nothing when a trimmed call is given back, or its charge was not yet taken off its account', async () => {
    const db = await hand()
    const now = NOON + 2 + DAY
    expect(await store.ledger.trim({ before: NOON + 1 })).to.be.greaterThan(0)
    expect(await store.ledger.refund({ account: 'acc', hold: 'kept', reason: 'late', owner: 'cli', now })).to.include({ applied: true })
    await store.ledger.charge(chargeOf('open', 1000, { now }))
    expect(await problems(now)).to.deep.equal([])
    const [account] = await db.table('accounts').find({ _id: 'acc' }).toArray()
    await hand()
    expect(await problems(now)).to.deep.equal([])
    await store.ledger.trim({ before: now + DAY })
    await db.account({ $set: { out: account?.['out'], pub: account?.['pub'], done: account?.['done'] } })
    expect(await problems(now + DAY), 'published by one that died before it said so').to.deep.equal([])
    await db.table('retention').updateOne({ _id: 'facts' }, { $set: { before: NOON + 1 } })
    expect(await problems(now + DAY)).to.deep.equal([
      'L10 account acc, entry 14 (charge open): has no details, and nothing of its time was trimmed',
    ])
    await db.table('retention').updateOne({ _id: 'facts' }, { $set: { before: now + DAY + 1 } })
    expect(await problems(now + DAY)).to.deep.equal(['L10 entries are trimmed up to a time that has not come'])
  })

  it('finds nothing while a trim is under way', async function () {
    this.timeout(20_000)
    const db = await hand()
    for (let seq = 1; seq <= 12; seq++) for (const one of ['entry', 'details'] as const) await db[one](seq, { $inc: { at: seq } })
    let before = NOON
    const trims = (async () => {
      while (before < NOON + 12) await store.ledger.trim({ before: ++before })
    })()
    const found: string[] = []
    while (before < NOON + 12) found.push(...(await problems(NOON + 13)))
    await trims
    expect([...found, ...(await problems(NOON + 13))]).to.deep.equal([])
    expect(await db.table('details').countDocuments({ acct: 'acc' })).to.equal(1)
  })

  const changed = /^L10 account acc, entry 2 \(charge .*\): its details are not those that it was made with/
  const FAULTS: readonly Corruption[] = [
    ['facts changed by hand', (db) => db.details(2, { $set: { 'facts.provider_used': 'other' } }), changed],
    ['details of another amount', (db) => db.details(2, { $inc: { amt: 1 } }), changed],
    ['details of another time', (db) => db.details(2, { $inc: { at: 1 } }), changed],
    [
      'a refund listed as a call',
      async (db) => {
        const found = await db.table('details').findOne({ acct: 'acc', ref: 'rf:refunded' })
        await db.table('details').updateOne({ ref: 'rf:refunded' }, { $set: { facts: found?.['of'] }, $unset: { of: 1 } })
      },
      /^L10 account acc, entry \d+ \(refund rf:refunded\): its details are not those/,
    ],
    ['a call that was made another one', (db) => db.entry(2, { $set: { 'call.endpoint': '/v1/other' } }), changed],
    [
      'a failure that was made a success',
      async (db) => {
        await db.table('retention').insertOne({ _id: 'facts', before: NOON + 1 })
        await db.table('entries').updateOne({ kind: 'release' }, { $set: { 'call.failed': false } })
      },
      /^L10 account acc, day 2026-01-31, .*: the rollup has 9 calls, 1 errors, \d+, the journal 9 calls, 0 errors/,
    ],
    [
      'details that are missing though nothing of their time was trimmed',
      (db) => db.table('details').deleteOne({ acct: 'acc', seq: 2 }),
      /^L10 account acc, entry 2 .*: has no details, and nothing of its time was trimmed$/,
    ],
    [
      'details of no entry',
      async (db) => {
        const found = await db.table('details').findOne({ acct: 'acc', seq: 2 })
        await db.table('details').insertOne({ ...found, _id: 'acc 0000000000000100', seq: 100 })
      },
      /^L10 details acc 0000000000000100 \(h_\d+\) belong to no entry/,
    ],
    [
      'details of another entry',
      async (db) => {
        const found = await db.table('details').findOne({ acct: 'acc', seq: 3 })
        await db.table('details').replaceOne({ acct: 'acc', seq: 2 }, { ...found, _id: 'acc 0000000000000002', seq: 2 })
      },
      /^L10 details acc 0000000000000002 \(h_\d+\) belong to no entry/,
    ],
    [
      'a rollup that counts too much on a day that was trimmed',
      async (db) => {
        await store.ledger.trim({ before: NOON + 1 })
        await db.usage({ $inc: { 'rows./v1/search search%2eweb.calls': 1, 'rows./v1/scrape search%2eweb.calls': -1 } })
      },
      /^L10 account acc, day 2026-01-31, \/v1\/search search.web: the rollup has 10 calls, .*, the journal 9 calls/,
    ],
  ]
  for (const [name, work, problem] of FAULTS)
    it(`finds ${name}`, async () => {
      const db = await hand()
      expect(await problems()).to.deep.equal([])
      await work(db)
      const found = await problems()
      expect(
        found.some((line) => problem.test(line)),
        found.join('\n'),
      ).to.equal(true)
    })
})
