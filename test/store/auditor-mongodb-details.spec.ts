import { expect } from 'chai'
import { fillLedger } from '../support/ledger-sample.js'
import { Hand, type Corruption } from '../support/ledger-hand.js'
import type { Store } from '../../core/store/types.js'
import { rawMongo } from '../support/mongodb.js'
import { useMongo } from '../support/mongodb-store.js'
import { NOON } from '../support/store.js'

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

  it('finds nothing, whatever part of them was trimmed, and entries that an earlier version published first', async () => {
    const db = await hand()
    await db.table('retention').insertOne({ _id: 'facts', before: NOON + 1 })
    const copy = await db.table('details').findOne({ acct: 'acc', seq: 6 })
    await db.inline({ acct: 'acc', seq: 6 })
    await db.table('details').insertOne(copy ?? { _id: 'none' })
    expect(await problems(), 'an earlier version published it first').to.deep.equal([])
    for (const seq of [5, 2, 10, 8, 3, 12, 9, 4, 7, 11]) {
      await db.table('details').deleteOne({ acct: 'acc', seq })
      expect(await problems(), `after entry ${seq}`).to.deep.equal([])
    }
    await db.inline()
    await db.entry(6, { $set: { facts: null } })
    expect(await problems(), 'with inline facts trimmed').to.deep.equal([])
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
      /^L10 account acc, entry 2 .*: says nothing of its call, and nothing of its time was trimmed/,
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
        await db.inline({ acct: 'acc', seq: 2 })
        const found = await db.table('details').findOne({ acct: 'acc', seq: 3 })
        await db.table('details').insertOne({ ...found, _id: 'acc 0000000000000002', seq: 2 })
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
