import { expect } from 'chai'
import { auditMongo } from '../../scripts/capstan/audit/mongodb.js'
import { openMongoStore } from '../../core/store/mongodb/store.js'
import type { Store } from '../../core/store/types.js'
import { Hand, type Corruption } from '../support/ledger-hand.js'
import { fillLedger } from '../support/ledger-sample.js'
import { needsMongo, rawMongo, temporaryMongo, type TemporaryMongo } from '../support/mongodb.js'
import { chargeOf, facts, furnish, holdOf, NOON } from '../support/store.js'

const MONEY: readonly Corruption[] = [
  [
    'held that no hold explains',
    (hand) => hand.account({ $inc: { held: 1000, avail: -1000 } }),
    /^L1 account acc: holds add up to 2000 in 2, the account says 3000 in 2/,
  ],
  ['a wrong number of open holds', (hand) => hand.account({ $set: { open: 7 } }), /^L1 account acc: .* the account says 2000 in 7/],
  [
    'money available that is not there',
    (hand) => hand.account({ $inc: { avail: 1 } }),
    /^L1 account acc: 94300 less 2000 and 0 make 92300 available, not 92301/,
  ],
  ['an account that is no account any more', (hand) => hand.account({ $unset: { bal: 1 } }), /^L1 account acc cannot be read: .*bal/],
  ['an overdraft', (hand) => hand.account({ $set: { bal: -5, avail: -5 } }, 'other'), /^L2 account other: -5 available/],
  [
    'a balance changed by hand',
    (hand) => hand.account({ $inc: { bal: 1, avail: 1 } }),
    /^L3 account acc: its entries add up to 94300, its balance is 94301/,
  ],
  ['an entry without an account', (hand) => hand.copy(2, { acct: 'nobody' }), /^L3 entry h_\d+ belongs to no account/],
  ['an amount changed by hand', (hand) => hand.entry(3, { $inc: { amt: -1 } }), /^L4 account acc, entry 3/],
  ['a balance after changed by hand', (hand) => hand.entry(3, { $inc: { after: -1 } }), /^L4 account acc, entry 3/],
  [
    'an entry that is gone',
    (hand) => hand.table('entries').deleteOne({ acct: 'acc', seq: 4 }),
    /^L4 account acc, entry 5 .*: follows entry 3/,
  ],
  [
    'a last entry that is gone',
    (hand) => hand.table('entries').deleteOne({ acct: 'other' }),
    /^L4 account other: the last entry is 0, the account says 1/,
  ],
  ['an entry too many', (hand) => hand.copy(2, { seq: 100, ref: 'new' }), /^L4 account acc: the last entry is 100, the account says 12/],
]

const REFERENCES: readonly Corruption[] = [
  [
    'a sequence number used twice',
    async (hand) => {
      await hand.freely('acct_1_seq_1')
      await hand.entry(4, { $set: { seq: 3 } })
    },
    /^L4 account acc, entry 3 .*: follows entry 3/,
  ],
  [
    'a hold charged twice',
    async (hand) => {
      await hand.freely('acct_1_ref_1')
      await hand.copy(2, { seq: 100 })
    },
    /^L5 reference h_\d+ is used 2 times/,
  ],
  ['an index that is gone', (hand) => hand.freely('acct_1_seq_1'), /^L4 the unique index on entries \(acct, seq\) is missing/],
  [
    'a hold that is open and resolved',
    (hand) => hand.entry(2, { $set: { ref: 'open' } }),
    /^L5 hold open is open and in the journal as charge/,
  ],
  [
    'a refund of more than the charge',
    (hand) => hand.table('entries').updateOne({ ref: 'rf:refunded' }, { $set: { amt: 1500 } }),
    /^L6 refund rf:refunded of 1500 gives back 1000/,
  ],
  [
    'a refund of no charge',
    (hand) => hand.table('entries').updateOne({ ref: 'rf:refunded' }, { $set: { ref: 'rf:nothing' } }),
    /^L6 refund rf:nothing of 1000 gives back no charge/,
  ],
  ['a charge that gives money', (hand) => hand.entry(2, { $set: { amt: 5 } }), /^L6 entry h_\d+: a charge of 5/],
  [
    'an answer given back without a refund',
    (hand) => hand.entry(2, { $set: { delivered: false } }),
    /^L7 undelivered h_\d+: the refund is missing/,
  ],
  [
    'a rollup that counts too much',
    (hand) => hand.usage({ $inc: { 'rows./v1/scrape search%2eweb.calls': 1 } }),
    /^L10 account acc, day 2026-01-31, \/v1\/scrape search.web: the rollup has 2 calls/,
  ],
  [
    'a rollup with other credits',
    (hand) => hand.usage({ $inc: { 'rows./v1/search search%2eweb.credits': 1 } }),
    /^L10 account acc, day 2026-01-31/,
  ],
  [
    'a row of the rollup that is missing',
    (hand) => hand.usage({ $unset: { 'rows./v1/search search%2eweb': 1 } }),
    /^L10 account acc, day 2026-01-31, .*: the rollup has nothing/,
  ],
  [
    'a rollup that is missing',
    (hand) => hand.table('usage_daily').deleteMany({}),
    /^L10 account acc, day 2026-01-31: entry 2 is published and not in the rollup/,
  ],
  ['a rollup that lags behind', (hand) => hand.usage({ $inc: { applied: -1 } }), /^L10 account acc, day 2026-01-31/],
  [
    'a call that keeps nothing of itself',
    (hand) => hand.entry(2, { $unset: { call: 1 } }),
    /^L10 account acc, entry 2 .*: says nothing of its call$/,
  ],
  ['an entry moved to another day', (hand) => hand.entry(2, { $inc: { at: 86_400_000 } }), /^L10 account acc, day 2026-02-01/],
  [
    'an entry published otherwise than it was made',
    (hand) => hand.unpublish(12, { note: 'other' }),
    /^L11 account acc, entry 12 .*: published otherwise than it was made/,
  ],
  ['an entry that is no entry any more', (hand) => hand.entry(2, { $set: { amt: 0.5 } }), /^L11 entry h_\d+ of account acc cannot be read/],
  [
    'a delivery of what is no charge',
    (hand) => hand.entry(1, { $set: { delivered: true } }),
    /^L11 account acc, entry 1 .*: a grant is marked as delivered/,
  ],
  [
    'a kept answer that says other credits',
    (hand) => hand.table('idempotency').updateOne({}, { $set: { 'answer.amount': 5 } }),
    /^L12 kept answer of kept says 5 credits, its charge is 1000/,
  ],
]

const CAPS: readonly Corruption[] = [
  ['a key that used other credits', (hand) => hand.key('key_1', { $set: { used: 1 } }), /^caps key key_1: used is 1/],
  [
    'a key that was not counted',
    (hand) => hand.key('capped', { $set: { used: 0, applied: 0 } }),
    /^caps key capped: entry 8 is published and not counted/,
  ],
  ['a cap with too much left', (hand) => hand.account({ $inc: { 'caps.capped.left': 1 } }), /^caps key capped: left is 48501, .* is 48500/],
  [
    'a day of a cap with too much left',
    (hand) => hand.account({ $inc: { 'caps.capped.dleft': 1 } }),
    /^caps key capped: 18501 of 20000 are left on 2026-01-31, .* is 18500/,
  ],
  [
    'a cap of no key',
    (hand) => hand.account({ $set: { 'caps.ghost': { left: 1, day: 1, dleft: 1, dlim: 1, at: 1 } } }),
    /^caps key ghost: the account acc has a cap/,
  ],
  [
    'a wrong number of capped keys',
    (hand) => hand.account({ $set: { capped: 3 } }),
    /^caps account acc: 1 keys have a cap, the account says 3/,
  ],
]

describe('auditor of MongoDB', () => {
  let temporary: TemporaryMongo
  let store: Store
  const audit = (change: object = {}) => auditMongo({ uri: temporary.uri, now: NOON, ...change })

  before(async function () {
    await needsMongo(this)
  })
  beforeEach(async () => {
    temporary = await temporaryMongo()
    store = await openMongoStore({ uri: temporary.uri })
    await fillLedger(store)
  })
  afterEach(async () => {
    await store.close()
    await temporary.drop()
  })

  /** A delivery publishes all that its account has made. */
  const publish = () => store.ledger.delivered(['acc', 'other'].map((account) => ({ account, ref: 'none' })))

  it('finds nothing in a ledger that only the store wrote, published or not', async () => {
    const fine = { ok: true, accounts: 2, entries: 13, problems: [] }
    expect(await audit()).to.deep.equal(fine)
    await publish()
    expect(await audit()).to.deep.equal(fine)
    expect(await (await rawMongo(temporary.uri)).collection('entries').countDocuments()).to.equal(13)
  })

  for (const [name, work, problem] of [...MONEY, ...REFERENCES, ...CAPS]) {
    it(`finds ${name}`, async () => {
      await publish()
      await work(new Hand(await rawMongo(temporary.uri)))
      const report = await audit()
      expect(report.ok).to.equal(false)
      expect(
        report.problems.some((line) => problem.test(line)),
        report.problems.join('\n'),
      ).to.equal(true)
    })
  }

  it('L6 finds a call that was charged in time and late', async () => {
    const late = {
      account: 'acc',
      ref: 'late:kept',
      kind: 'charge',
      amount: -1000,
      note: null,
      facts: facts(),
      owner: 'gw1',
      now: NOON,
    } as const
    await store.ledger.post(late)
    expect((await audit()).problems).to.deep.equal(['L6 late:kept: the call was charged in time too, as kept'])
  })

  it('L9 finds overlong holds, but only where a gateway was alive to sweep them', async () => {
    const now = NOON + 60_000 + 45_001
    expect((await audit({ now })).ok).to.equal(true)
    expect((await audit({ now, alive: true })).problems).to.have.length(2)
    await store.leases.renew('gw1', now, 20_000)
    expect((await audit({ now })).problems).to.have.length(2)
    expect((await audit({ now: now - 1, alive: true })).ok).to.equal(true)
  })

  it('reads every account, however many pages they fill', async () => {
    for (let count = 0; count < 120; count++) await furnish(store, 10, `many_${count}`)
    expect(await audit()).to.deep.equal({ ok: true, accounts: 122, entries: 133, problems: [] })
  })

  it('reads while the store writes and publishes, and takes nothing on its way for a fault', async function () {
    this.timeout(30_000)
    let done = false
    const call = async () => {
      while (!done) {
        const request = holdOf({ account: 'other', amount: 1 })
        await store.ledger.hold(request)
        await store.ledger.charge(chargeOf(request.hold, 1, { account: 'other' }))
        await store.ledger.delivered([{ account: 'other', ref: request.hold }])
      }
    }
    const calls = [call(), call(), call(), call()]
    const problems: string[] = []
    for (let count = 0; count < 8; count++) problems.push(...(await audit()).problems)
    done = true
    await Promise.all(calls)
    const last = await audit()
    expect([...problems, ...last.problems]).to.deep.equal([])
    expect(last.entries, 'there was something to see').to.be.greaterThan(20)
  })

  it('says so when the database cannot be reached', async () => {
    const report = await auditMongo({ uri: 'mongodb://127.0.0.1:1/none?serverSelectionTimeoutMS=200' })
    expect(report.ok).to.equal(false)
    expect(report.problems[0]).to.match(/^database: cannot be read to its end: /)
  })
})
