import { expect } from 'chai'
import { auditMongo } from '../../scripts/capstan/audit/mongodb.js'
import type { Store } from '../../core/store/types.js'
import { Hand, type Corruption } from '../support/ledger-hand.js'
import { rawMongo } from '../support/mongodb.js'
import { useMongo } from '../support/mongodb-store.js'
import { chargeOf, facts, furnish, holdOf, keyOf, NOON, releaseOf } from '../support/store.js'

const MINUTE = 60_000

describe('auditor of MongoDB, deliveries, late charges, families of keys', () => {
  const bench = useMongo()
  let store: Store
  let hand: Hand

  beforeEach(async () => {
    store = await bench.gateway()
    hand = new Hand(await rawMongo(bench.uri))
    await furnish(store, 100_000)
  })

  const audit = async (now = NOON, alive = true) => (await auditMongo({ uri: bench.uri, now, alive })).problems
  const publish = () => store.ledger.delivered([{ account: 'acc', ref: 'none' }])
  const hold = async (change: Parameters<typeof holdOf>[0] = {}) => {
    const request = holdOf(change)
    expect(await store.ledger.hold(request)).to.include({ ok: true })
    return request.hold
  }
  const charge = async (id: string, change: object = {}) => {
    const request = holdOf({ hold: id })
    await store.ledger.hold(request)
    await store.ledger.charge(chargeOf(id, 1000, change))
  }
  const refund = (id: string) => store.ledger.refund({ account: 'acc', hold: id, reason: 'client gone', owner: 'gw1', now: NOON })
  const late = (id: string, nth = '') =>
    store.ledger.post({
      ...{ account: 'acc', ref: `late${nth}:${id}`, kind: 'charge', amount: -1000, note: null, facts: facts(), owner: 'gw1', now: NOON },
    })

  describe('L7 charges whose answers were not written', () => {
    const gateway = (update: object) => hand.table('gateways').updateOne({ _id: 'gw1' }, update, { upsert: true })
    const lost = (why: string) =>
      new RegExp(`^L7 account acc: charge lost was not delivered, its owner gw1 ${why}, and it was not refunded$`)

    beforeEach(async () => {
      await charge('delivered')
      await charge('lost')
      await store.ledger.delivered([{ account: 'acc', ref: 'delivered' }])
    })

    for (const published of [false, true])
      it(`are nobody's fault while somebody will give them back, ${published ? 'published' : 'unpublished'}`, async () => {
        if (published) await publish()
        await gateway({ $set: { expires: NOON + 20_000 } })
        expect(await audit()).to.deep.equal([])
        expect(await audit(NOON + 10 * MINUTE)).to.deep.equal([])
        await gateway({ $set: { expires: NOON + 12 * MINUTE } })
        expect(await audit(NOON + 15 * MINUTE), 'the lease has just run out').to.not.match(/^L7/)
        expect((await audit(NOON + 23 * MINUTE)).filter((line) => line.startsWith('L7')).join()).to.match(lost('has no lease any more'))
        expect((await audit(NOON + 23 * MINUTE, false)).join(), 'nobody was there to sweep').to.equal('')
        await gateway({ $set: { ended: true }, $unset: { expires: 1 } })
        expect(await audit()).to.deep.equal([])
        expect((await audit(NOON + 11 * MINUTE, false)).join()).to.match(lost('has ended'))
        await hand.table('gateways').deleteOne({ _id: 'gw1' })
        const missing = (await audit(NOON + 11 * MINUTE)).filter((line) => line.startsWith('L7'))
        expect(missing.join('\n')).to.match(/charge delivered .* is not known.*\n.*charge lost .* is not known/)
        await refund('lost')
        await refund('delivered')
        expect((await audit(NOON + 11 * MINUTE)).filter((line) => line.startsWith('L7'))).to.deep.equal([])
      })

    it('are settled when the owner says so, and charges that await no delivery have no owner', async () => {
      await charge('kept', { delivery: 'none' })
      await store.ledger.delivered([{ account: 'acc', ref: 'lost' }])
      await gateway({ $set: { ended: true }, $unset: { expires: 1 } })
      expect(await audit(NOON + 11 * MINUTE)).to.deep.equal([])
      await gateway({ $set: { open: [2] } })
      expect((await audit(NOON + 11 * MINUTE)).join()).to.match(lost('has ended'))
      await gateway({ $set: { open: [], upto: 1 } })
      expect((await audit(NOON + 11 * MINUTE)).join()).to.match(lost('has ended'))
      await gateway({ $set: { upto: 'two' } })
      expect((await audit(NOON + 11 * MINUTE)).join()).to.match(/^L7 gateway gw1 cannot be read/)
    })
  })

  it('L6 a late charge must be alone: one beside its hold, beside an earlier one, or without a hold that ended it is found', async () => {
    await charge('refunded')
    await refund('refunded')
    await late('refunded')
    const released = await hold()
    await store.ledger.release(releaseOf(released))
    await late(released)
    await store.ledger.refund({ account: 'acc', hold: `late:${released}`, reason: 'client gone', owner: 'gw1', now: NOON })
    await late(released, '2')
    for (const published of [false, true]) {
      if (published) await publish()
      expect(await audit()).to.deep.equal([])
    }
    await late('refunded', '2')
    expect(await audit()).to.deep.equal(['L6 late2:refunded: the call was charged late before, as late:refunded'])
    await charge('twice')
    await late('twice')
    await late('never')
    const open = await hold()
    await late(open)
    expect((await audit()).sort()).to.deep.equal(
      [
        'L6 late2:refunded: the call was charged late before, as late:refunded',
        'L6 late:never: its hold never was neither released nor refunded',
        'L6 late:twice: the call was charged in time too, as twice',
        `L6 late:${open}: its hold ${open} was neither released nor refunded`,
      ].sort(),
    )
  })

  it('references of operators are ordinary ones', async () => {
    for (const [ref, kind, amount] of [
      ['op:late:x', 'grant', 5],
      ['op:rf:x', 'adjust', -5],
    ] as const)
      await store.ledger.post({ account: 'acc', ref, kind, amount, note: null, facts: null, owner: 'cli', now: NOON })
    expect(await audit()).to.deep.equal([])
  })

  const MARKS: readonly Corruption[] = [
    [
      'unpublished entries in no slot',
      (by) => by.account({ $unset: { pub: 1 } }),
      /^L10 account acc: 2 entries are unpublished, and it is in no slot/,
    ],
    [
      'entries said to be published that are not',
      (by) => by.account({ $set: { done: 1 } }),
      /^L10 account acc: entries are published up to 1, it says, and 0 are/,
    ],
    [
      'an earliest deadline that is too late',
      (by) => by.account({ $set: { dl: NOON + 60_001 } }),
      /^L9 hold open: its deadline is 1 ms before the earliest of account acc/,
    ],
  ]
  for (const [name, work, problem] of MARKS)
    it(`finds ${name}`, async () => {
      await charge('one')
      await hold({ hold: 'open' })
      expect(await audit()).to.deep.equal([])
      await work(hand)
      expect((await audit()).join('\n')).to.match(problem)
    })

  const FAMILY: readonly Corruption[] = [
    [
      'a charge that was not counted on a cap of the family',
      (by) => by.account({ $inc: { 'caps.root.left': 700, 'caps.root.dleft': 700 } }),
      /^caps key root: left is 47400, its limit less its entries and holds is 46700/,
    ],
    [
      'a hold that was not counted on a cap of the family',
      (by) => by.account({ $unset: { 'holds.family.caps': 1 } }),
      /^caps key (root|child): left is/,
    ],
    [
      'an entry that says other caps than it took from',
      (by) => by.table('entries').updateOne({ ref: 'paid' }, { $set: { caps: ['child'] } }),
      /^caps key root: left is/,
    ],
    [
      'an entry published with other caps than it was made with',
      async (by) => {
        const found = await by.table('entries').findOne({ ref: 'paid' })
        const details = await by.table('details').findOne({ ref: 'paid' })
        const kept = Object.entries(found ?? {}).filter(([field]) => !['_id', 'acct', 'seq', 'after', 'delivered', 'call'].includes(field))
        const out = [{ ...Object.fromEntries(kept), caps: ['root'], facts: details?.['facts'] }]
        await by.account({ $set: { out, pub: 1 } })
      },
      /^L11 account acc, entry 2 \(charge paid\): published otherwise than it was made/m,
    ],
  ]
  for (const [name, work, problem] of FAMILY)
    it(`finds ${name}`, async () => {
      const caps = ['child', 'root']
      await store.keys.create(keyOf({ id: 'root', credit_limit: 50_000, credit_limit_per_day: 9000 }))
      await store.keys.create(keyOf({ id: 'child', credit_limit: 20_000, caps }))
      await hold({ hold: 'paid', key: 'child', capped: true, caps })
      await store.ledger.charge(chargeOf('paid', 700, { facts: facts({ key_id: 'child' }) }))
      await publish()
      await hold({ hold: 'family', key: 'child', capped: true, caps, amount: 2600 })
      expect(await audit()).to.deep.equal([])
      await work(hand)
      expect((await audit()).join('\n')).to.match(problem)
    })
})
