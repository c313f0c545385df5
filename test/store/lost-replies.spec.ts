import { expect } from 'chai'
import { StoreUnavailable, type LedgerStore, type Store } from '../../core/store/types.js'
import { lostReplies } from '../support/lost-replies.js'
import { mongoLink, sqliteLink } from '../support/lost-replies-links.js'
import { needsMongo, temporaryMongo, type TemporaryMongo } from '../support/mongodb.js'

/** Set CAPSTAN_LOST_REPLIES=2000 for the long form. */
const count = Number(process.env.CAPSTAN_LOST_REPLIES ?? 100)
const seed = Number(process.env.CAPSTAN_SEED ?? Date.now() % 1_000_000)

/** The store with some commands of its ledger replaced. */
function withLedger(change: (ledger: LedgerStore) => Partial<LedgerStore>): (store: Store) => Store {
  return (store) => ({ ...store, ledger: { ...store.ledger, ...change(store.ledger) } })
}

/** Does the work again, another way, when its outcome is unknown. */
async function again<T>(work: () => Promise<T>, otherwise: (error: StoreUnavailable) => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StoreUnavailable) return await otherwise(error)
    throw error
  }
}

/** What somebody might write who has not thought of lost replies. */
const MUTANTS: readonly (readonly [string, (store: Store) => Store, RegExp])[] = [
  [
    'a grant that is repeated under another reference',
    withLedger((ledger) => ({
      post: (order) =>
        again(
          () => ledger.post(order),
          () => ledger.post({ ...order, ref: `${order.ref}-again` }),
        ),
    })),
    /777 that no client requested/,
  ],
  [
    'a charge of unknown outcome that is taken for refused, and posted',
    withLedger((ledger) => ({
      charge: (order) =>
        again(
          () => ledger.charge(order),
          async (error) => {
            const { account, hold, amount, owner, facts, now } = order
            await ledger.post({ account, ref: `again:${hold}`, kind: 'charge', amount: -amount, note: null, facts, owner, now })
            await ledger.delivered([{ account, ref: `again:${hold}` }])
            throw error
          },
        ),
    })),
    /its client has to find .*, the ledger says -[12]000/,
  ],
  [
    'an answer of unknown delivery that counts as delivered',
    withLedger((ledger) => ({
      refund: (order) =>
        again(
          () => ledger.refund(order),
          async () => {
            await ledger.delivered([{ account: order.account, ref: order.hold }])
            return { ok: true, applied: true, balance: 0, held: 0, available: 0 }
          },
        ),
    })),
    /its client has to find 0, the ledger says -1000/,
  ],
]

describe('F-05 N-07 lost replies between a gateway and MongoDB', function () {
  this.timeout(120_000 + count * 1_000)
  let temporary: TemporaryMongo

  before(async function () {
    await needsMongo(this)
  })
  beforeEach(async () => {
    temporary = await temporaryMongo()
  })
  afterEach(() => temporary.drop())

  it(`${count} lost at any command, before and after it was carried out: no client and no account is out of pocket (L1 to L12)`, async () => {
    const report = await lostReplies({ link: await mongoLink(temporary.uri), count, seed })
    expect(report.violations, `seed ${seed}`).to.deep.equal([])
    expect(report.forgiven, `seen and not paid for, seed ${seed}`).to.deep.equal([])
    expect(report.lost).to.be.at.least(count)
    expect(report.carriedOut).to.be.greaterThan(count / 3)
    expect(Object.keys(report.hits).length, 'kinds of commands hit').to.be.at.least(8)
  })

  for (const [name, change, violation] of MUTANTS)
    it(`finds ${name}`, async () => {
      const { violations } = await lostReplies({ link: await mongoLink(temporary.uri), count: 60, seed: 11, change })
      expect(violations.join('\n')).to.match(violation)
    })
})

describe('F-05 N-07 lost replies between a gateway and the thread of its embedded ledger', function () {
  this.timeout(60_000 + count * 40)

  it(`${3 * count} lost at any command, before and after its commit: no client and no account is out of pocket (L1 to L12)`, async () => {
    const report = await lostReplies({ link: await sqliteLink(), count: 3 * count, seed })
    expect(report.violations, `seed ${seed}`).to.deep.equal([])
    expect(report.forgiven, `seen and not paid for, seed ${seed}`).to.deep.equal([])
    expect(report.lost).to.be.at.least(3 * count)
    expect(report.carriedOut).to.be.greaterThan(count)
    expect(Object.keys(report.hits).length, 'kinds of commands hit').to.be.at.least(8)
  })

  for (const [name, change, violation] of MUTANTS)
    it(`finds ${name}`, async () => {
      const { violations } = await lostReplies({ link: await sqliteLink(), count: 120, seed: 11, change })
      expect(violations.join('\n')).to.match(violation)
    })
})
