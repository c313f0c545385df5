import { expect } from 'chai'
import { StoreUnavailable, type PostRequest, type Store } from '../../../core/store/types.js'
import { failPoint, needsOwnMongo } from '../../support/mongodb.js'
import type { Fault, MongoProxy } from '../../support/mongodb-proxy.js'
import { useMongo } from '../../support/mongodb-store.js'
import { chargeOf, claimOf, fresh, furnish, holdOf, NOON, releaseOf } from '../../support/store.js'
import { atMost, waited } from '../../support/time.js'

const thrown = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  )

describe('unknown outcomes on MongoDB', () => {
  const bench = useMongo()
  let store: Store
  let proxy: MongoProxy

  beforeEach(async () => {
    ;({ store, proxy } = await bench.proxied())
    await furnish(store)
  })

  /** Loses one message of the next change of an account; the command must report an unknown outcome. */
  const lose = async (fault: Fault, work: () => Promise<unknown>): Promise<void> => {
    const disarm = proxy.arm({ matches: ({ name, collection }) => name === 'findAndModify' && collection === 'accounts', fault })
    const error = await thrown(work())
    expect(disarm(), 'the message was lost').to.equal(1)
    expect(error).to.include({ name: 'StoreUnavailable' })
  }
  const held = async (amount = 1000) => {
    const request = holdOf({ amount })
    await store.ledger.hold(request)
    return request.hold
  }
  const balance = () => store.ledger.balance('acc')

  for (const fault of ['cut-request', 'cut-reply'] as const) {
    describe(`the ${fault === 'cut-request' ? 'command' : 'answer'} is lost (F-05)`, () => {
      it('T-62 of a charge: the same charge again succeeds, and money is taken once', async () => {
        const hold = await held()
        await lose(fault, () => store.ledger.charge(chargeOf(hold, 400)))
        const again = await store.ledger.charge(chargeOf(hold, 400))
        expect(again).to.include({ ok: true, already: fault === 'cut-reply', amount: 400, balance: 9600, held: 0 })
        expect(await bench.audit()).to.deep.equal([])
      })

      it('of a charge, published meanwhile by another gateway: the same charge again finds it in the journal', async () => {
        const hold = await held()
        await lose(fault, () => store.ledger.charge(chargeOf(hold, 400)))
        await (await bench.gateway()).ledger.delivered([{ account: 'acc', ref: hold }])
        expect(await store.ledger.charge(chargeOf(hold, 400))).to.include({ ok: true, amount: 400, balance: 9600 })
        expect(await balance()).to.include({ balance: 9600, held: 0, open: 0, seq: 2 })
      })

      it('of a hold: a release of the lost id leaves nothing held, and a fresh id is held', async () => {
        const lost = holdOf()
        await lose(fault, () => store.ledger.hold(lost))
        const released = await store.ledger.release(releaseOf(lost.hold))
        expect(released.ok, JSON.stringify(released)).to.equal(fault === 'cut-reply')
        expect(await balance()).to.include({ held: 0, open: 0, balance: 10_000 })
        expect(await store.ledger.hold(holdOf())).to.include({ ok: true, held: 1000 })
        expect(await bench.audit()).to.deep.equal([])
      })

      it('of a release: repeated, it is done once', async () => {
        const hold = await held()
        await lose(fault, () => store.ledger.release(releaseOf(hold)))
        expect(await store.ledger.release(releaseOf(hold))).to.include({ ok: true, already: fault === 'cut-reply' })
        expect(await balance()).to.include({ balance: 10_000, held: 0, seq: 2 })
      })

      it('of a grant, a refund and a new overage limit: repeated, each is applied once', async () => {
        const grant: PostRequest = { account: 'acc', ref: 'g', kind: 'grant', amount: 5, note: null, facts: null, owner: 'cli', now: NOON }
        const hold = await held()
        await store.ledger.charge(chargeOf(hold))
        const orders = [
          () => store.ledger.post(grant),
          () => store.ledger.refund({ account: 'acc', hold, reason: 'client gone', owner: 'gw1', now: NOON }),
          () => store.ledger.setOverage({ account: 'acc', limit: 70, ref: 'o', owner: 'cli', now: NOON }),
        ]
        for (const order of orders) {
          await lose(fault, order)
          expect(await order()).to.include({ ok: true, applied: fault === 'cut-request' })
          expect(await order()).to.include({ ok: true, applied: false })
        }
        expect(await balance()).to.include({ balance: 10_005, available: 10_075, overage: 70, seq: 5 })
        expect(await bench.audit()).to.deep.equal([])
      })
    })
  }

  it('of a claim: the same claim again has it, once it was carried out; that of another call does not', async () => {
    for (const fault of ['cut-request', 'cut-reply'] as const) {
      const claim = claimOf({ key: fault })
      const disarm = proxy.arm({ matches: ({ name, collection }) => name === 'insert' && collection === 'idempotency', fault })
      expect(await thrown(store.idempotency.claim(claim))).to.include({ name: 'StoreUnavailable', sent: true })
      expect(disarm()).to.equal(1)
      expect(await store.idempotency.claim(claim)).to.deep.equal({ state: 'claimed', attempt: 1, abandoned: null })
      expect(await store.idempotency.claim({ ...claim, hold: fresh() })).to.include({ state: 'running' })
    }
  })

  it('voiding a charge whose outcome stays unknown takes nothing, whether it was carried out or not', async () => {
    for (const fault of ['cut-request', 'cut-reply'] as const) {
      const hold = await held()
      await lose(fault, () => store.ledger.charge(chargeOf(hold)))
      await store.ledger.release(releaseOf(hold))
      await store.ledger.refund({ account: 'acc', hold, reason: 'void', owner: 'gw1', now: NOON })
      expect(await balance()).to.include({ balance: 10_000, held: 0 })
    }
    expect(await bench.audit()).to.deep.equal([])
  })

  it('F-03 an answer that never comes is given up within 1.2 s', async function () {
    const hold = await held()
    const { all, own } = await waited(() => lose('hang', () => store.ledger.charge(chargeOf(hold))))
    expect(all).to.be.at.least(1000)
    await atMost(this, { what: 'the answer', value: own, limit: 1250 })
    expect(await store.ledger.charge(chargeOf(hold))).to.include({ ok: true, already: true })
  })

  describe('F-08 what the server answers is mapped', () => {
    const answers: [string, { errorCode: number } | { writeConcernError: { code: number; errmsg: string } }][] = [
      ['not the primary (10107)', { errorCode: 10_107 }],
      ['primary stepped down (189)', { errorCode: 189 }],
      ['shutting down (91)', { errorCode: 91 }],
      ['interrupted (11602)', { errorCode: 11_602 }],
      ['time limit exceeded (50)', { errorCode: 50 }],
      ['write conflict (112)', { errorCode: 112 }],
      ['document too large (10334)', { errorCode: 10_334 }],
      ['update too large (17419)', { errorCode: 17_419 }],
      ['not authorized (13)', { errorCode: 13 }],
      ['a duplicate key (11000)', { errorCode: 11_000 }],
      ['an unknown error (12345)', { errorCode: 12_345 }],
      ['write concern timed out (64)', { writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' } }],
    ]
    /** As a gateway does it: again while the outcome is unknown. The server may let a fail point work once more behind its end. */
    const chargedAgain = async (hold: string): Promise<unknown> => {
      for (let tries = 1; ; tries++) {
        const outcome: unknown = await store.ledger.charge(chargeOf(hold, 100)).catch((error: unknown) => error)
        if (tries === 3 || !(outcome instanceof StoreUnavailable)) return outcome
      }
    }
    for (const [title, point] of answers)
      it(`${title}: unavailable, and the same charge again is taken once`, async function () {
        needsOwnMongo(this)
        const hold = await held()
        const disarm = await failPoint(bench.uri, { commands: ['findAndModify'], ...point })
        const error = await thrown(store.ledger.charge(chargeOf(hold, 100)))
        await disarm()
        expect(error).to.include({ name: 'StoreUnavailable' })
        expect(await chargedAgain(hold)).to.include({ ok: true, amount: 100, balance: 9900 })
        expect(await balance()).to.include({ balance: 9900, seq: 2 })
      })

    it('a write concern that was not met in a batch of entries leaves them with the account until it is', async function () {
      needsOwnMongo(this)
      const hold = await held()
      await store.ledger.charge(chargeOf(hold))
      const point = { commands: ['insert'], writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' } }
      const disarm = await failPoint(bench.uri, point)
      const publish = async () => await store.ledger.publish?.({ instance: 'gw1', now: NOON })
      const error = await thrown(publish())
      await disarm()
      expect(error).to.include({ name: 'StoreUnavailable' })
      expect((await bench.documents('accounts'))[0]?.out).to.have.length(2)
      await publish()
      await store.ledger.delivered([{ account: 'acc', ref: hold }])
      expect((await store.ledger.entries({ account: 'acc', limit: 10 })).map((entry) => entry.delivered)).to.deep.equal([null, true])
      expect(await bench.audit()).to.deep.equal([])
    })

    it('an answer too large to keep is refused as unavailable, and the key stays with its attempt', async () => {
      const request = {
        account: 'acc',
        key: 'idem',
        fingerprint: 'f',
        hold: fresh(),
        owner: 'gw1',
        lockUntil: NOON + 1,
        expires: NOON + 1,
        once: false,
        now: NOON,
      }
      await store.idempotency.claim(request)
      const response = {
        status: 200,
        headers: {},
        body: new Uint8Array(17 * 1024 * 1024),
        gzip: false,
        file: null,
        amount: 0,
        facts: chargeOf('h').facts,
      }
      const kept = store.idempotency.keep({ account: 'acc', key: 'idem', attempt: 1, hold: request.hold, response, now: NOON })
      expect(await thrown(kept)).to.include({ name: 'StoreUnavailable' })
      expect(await store.idempotency.claim({ ...request, hold: fresh() })).to.include({ state: 'running' })
    }).timeout(20_000)
  })
})
