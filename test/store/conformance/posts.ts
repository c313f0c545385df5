import { expect } from 'chai'
import type { PostRequest } from '../../../core/store/types.js'
import { chargeOf, facts, furnish, holdOf, NOON, releaseOf } from '../../support/store.js'
import type { Fixture } from './fixture.js'

/** Entries by reference: grants, refunds, overage, corrections. */
export function postCases(fixture: Fixture): void {
  const ledger = () => fixture.store.ledger
  const post = (change: Partial<PostRequest>) =>
    ledger().post({ account: 'acc', ref: 'ref', kind: 'grant', amount: 500, note: null, facts: null, owner: 'cli', now: NOON, ...change })
  const charged = async (amount = 1000) => {
    const request = holdOf({ amount })
    await ledger().hold(request)
    await ledger().charge(chargeOf(request.hold, amount))
    return request.hold
  }
  const refund = (hold: string) => ledger().refund({ account: 'acc', hold, reason: 'client gone', owner: 'gw1', now: NOON })

  beforeEach(() => furnish(fixture.store, 1000))

  it('a grant sent twice credits once', async () => {
    expect(await post({})).to.deep.equal({ ok: true, applied: true, balance: 1500, held: 0, available: 1500 })
    expect(await post({})).to.deep.equal({ ok: true, applied: false, balance: 1500, held: 0, available: 1500 })
  })

  it('the same grant from many workers at once credits once', async () => {
    const results = await Promise.all(Array.from({ length: 20 }, () => post({})))
    expect(results.filter((result) => result.ok && result.applied)).to.have.length(1)
    expect(await ledger().balance('acc')).to.include({ balance: 1500, seq: 2 })
  })

  it('a reference used for something else is a conflict', async () => {
    await post({})
    expect(await post({ amount: 501 })).to.deep.equal({ ok: false, why: 'conflict' })
    expect(await post({ kind: 'adjust' })).to.deep.equal({ ok: false, why: 'conflict' })
  })

  it('a debit needs the money that is not held', async () => {
    await ledger().hold(holdOf({ amount: 400 }))
    expect(await post({ kind: 'adjust', amount: -601 })).to.deep.equal({ ok: false, why: 'insufficient' })
    expect(await post({ kind: 'expire', amount: -600 })).to.include({ ok: true, applied: true, available: 0 })
  })

  it('a correction takes neither what is held nor from the overage', async () => {
    await ledger().setOverage({ account: 'acc', limit: 500, ref: 'over', owner: 'cli', now: NOON })
    await ledger().hold(holdOf({ amount: 400 }))
    expect(await post({ kind: 'adjust', amount: -601 })).to.deep.equal({ ok: false, why: 'insufficient' })
    expect(await ledger().balance('acc')).to.include({ balance: 1000, held: 400, available: 1100 })
    const taken = { ok: true, balance: 400, held: 400, available: 500 }
    expect(await post({ kind: 'adjust', amount: -600 })).to.deep.equal({ ...taken, applied: true })
    expect(await post({ kind: 'adjust', amount: -600 })).to.deep.equal({ ...taken, applied: false })
    expect(await post({ kind: 'adjust', amount: -1, ref: 'more' })).to.deep.equal({ ok: false, why: 'insufficient' })
    const [, , entry] = await ledger().entries({ account: 'acc', limit: 10 })
    expect(entry).to.include({ kind: 'adjust', amount: -600, after: 400, ref: 'ref' })
  })

  it('of corrections at once no more is taken than the account has', async () => {
    const results = await Promise.all(Array.from({ length: 10 }, (_, index) => post({ kind: 'adjust', amount: -300, ref: `c${index}` })))
    expect(results.filter(({ ok }) => ok)).to.have.length(3)
    expect(await ledger().balance('acc')).to.include({ balance: 100, available: 100 })
  })

  it('an account that does not exist is absent, an amount that is not whole a RangeError', async () => {
    expect(await post({ account: 'nobody' })).to.deep.equal({ ok: false, why: 'absent' })
    expect(await post({ amount: 1.5 }).catch((error: unknown) => error)).to.be.instanceOf(RangeError)
  })

  it('a refund gives a charge back once and leaves the charge in the journal', async () => {
    const hold = await charged()
    expect(await refund(hold)).to.deep.equal({ ok: true, applied: true, balance: 1000, held: 0, available: 1000 })
    expect(await refund(hold)).to.include({ ok: true, applied: false, balance: 1000 })
    const entries = await ledger().entries({ account: 'acc', limit: 10 })
    expect(entries.map(({ seq, kind, amount, after, ref }) => [seq, kind, amount, after, ref])).to.deep.equal([
      [1, 'grant', 1000, 1000, 'grant acc'],
      [2, 'charge', -1000, 0, hold],
      [3, 'refund', 1000, 1000, `rf:${hold}`],
    ])
  })

  it('nothing that is no charge can be refunded', async () => {
    const request = holdOf()
    await ledger().hold(request)
    expect(await refund(request.hold)).to.deep.equal({ ok: false, why: 'absent' })
    await ledger().release(releaseOf(request.hold))
    expect(await refund(request.hold)).to.deep.equal({ ok: false, why: 'absent' })
    expect(await refund('grant acc')).to.deep.equal({ ok: false, why: 'absent' })
  })

  it("an operator's reference that reads like an internal one meets neither charge nor refund", async () => {
    const hold = await charged(100)
    await refund(hold)
    for (const internal of [hold, `rf:${hold}`])
      expect(await post({ ref: `op:${internal}`, amount: 10 }), internal).to.include({ ok: true, applied: true })
    expect(await ledger().balance('acc')).to.include({ balance: 1020 })
  })

  it('a late charge is taken once and counts on the key', async () => {
    const late = { ref: 'late:h', kind: 'charge', amount: -300, facts: facts() } as const
    expect(await post(late)).to.include({ ok: true, applied: true, balance: 700 })
    expect(await post(late)).to.include({ ok: true, applied: false, balance: 700 })
    expect((await fixture.store.keys.get('acc', 'key_1'))?.credits_used).to.equal(300)
  })

  describe('overage', () => {
    const set = (limit: number, ref = `over ${limit}`) => ledger().setOverage({ account: 'acc', limit, ref, owner: 'cli', now: NOON })

    it('lets the balance go below zero down to the limit and no further', async () => {
      expect(await set(500)).to.deep.equal({ ok: true, applied: true, balance: 1000, held: 0, available: 1500 })
      await charged(1500)
      expect(await ledger().balance('acc')).to.include({ balance: -500, available: 0, overage: 500 })
      expect(await ledger().hold(holdOf({ amount: 1 }))).to.include({ ok: false, why: 'insufficient' })
    })

    it('cannot be lowered below what is used', async () => {
      await set(500)
      await charged(1200)
      expect(await set(199)).to.deep.equal({ ok: false, why: 'insufficient' })
      expect(await set(200)).to.include({ ok: true, available: 0 })
    })

    it('is set once per reference, and leaves an entry of nothing', async () => {
      await set(500, 'o')
      expect(await set(900, 'o')).to.include({ ok: true, applied: false })
      expect(await ledger().balance('acc')).to.include({ overage: 500, seq: 2 })
      const entries = await ledger().entries({ account: 'acc', limit: 10 })
      expect(entries.at(-1)).to.include({ kind: 'adjust', amount: 0, after: 1000, ref: 'o' })
    })

    it('refuses what is negative or not whole', async () => {
      for (const limit of [-1, 0.5]) expect(await set(limit).catch((error: unknown) => error)).to.be.instanceOf(RangeError)
    })
  })

  describe('entries', () => {
    it('come in order of account and sequence, page by page, each exactly once', async () => {
      await furnish(fixture.store, 100, 'abc')
      await furnish(fixture.store, 100, 'xyz')
      for (let count = 0; count < 5; count++) await post({ ref: `g${count}`, account: 'abc' })
      const all = await ledger().entries({ limit: 1000 })
      expect(all.map((entry) => entry.account)).to.deep.equal(['abc', 'abc', 'abc', 'abc', 'abc', 'abc', 'acc', 'xyz'])
      const paged: typeof all = []
      for (;;) {
        const at = paged.at(-1)
        const page = await ledger().entries({ limit: 3, ...(at === undefined ? {} : { afterAccount: at.account, afterSeq: at.seq }) })
        if (page.length === 0) break
        paged.push(...page)
      }
      expect(paged).to.deep.equal(all)
    })

    it('say whether the answer was delivered', async () => {
      const [first, second] = [await charged(100), await charged(100)]
      await ledger().delivered([{ account: 'acc', ref: first }])
      await refund(second)
      await ledger().delivered([
        { account: 'acc', ref: second },
        { account: 'acc', ref: 'never' },
      ])
      const delivered = (await ledger().entries({ account: 'acc', limit: 10 })).map((entry) => entry.delivered)
      expect(delivered).to.deep.equal([null, true, null, null])
    })

    it('say of a charge that was given back after its delivery what they say of any that was given back, on every page', async () => {
      const ref = await charged(100)
      await ledger().delivered([{ account: 'acc', ref }])
      await refund(ref)
      const upToCharge = await ledger().entries({ account: 'acc', limit: 2 })
      const all = await ledger().entries({ account: 'acc', limit: 10 })
      expect([upToCharge.map((entry) => entry.delivered), all.map((entry) => entry.delivered)]).to.deep.equal([
        [null, null],
        [null, null, null],
      ])
    })

    it('carry the facts as they were given', async () => {
      const hold = await charged(100)
      const entries = await ledger().entries({ account: 'acc', afterSeq: 1, limit: 1 })
      expect(entries[0]).to.deep.include({ ref: hold, facts: facts(), owner: 'gw1', at: NOON, note: null })
    })
  })
}
