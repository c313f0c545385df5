import { expect } from 'chai'
import { chargeOf, DAY, fresh, furnish, holdOf, keyOf, NOON, releaseOf } from '../../support/store.js'
import type { Fixture } from './fixture.js'

/** Holds, charges and releases: the states of a call's money. */
export function holdCases(fixture: Fixture): void {
  const ledger = () => fixture.store.ledger
  const hold = async (change = {}) => {
    const request = holdOf(change)
    const result = await ledger().hold(request)
    expect(result.ok, JSON.stringify(result)).to.equal(true)
    return request.hold
  }
  const whyNot = async (change = {}) => {
    const result = await ledger().hold(holdOf(change))
    return result.ok ? 'ok' : result.why
  }

  beforeEach(() => furnish(fixture.store))

  describe('hold', () => {
    it('takes the amount out of what is available and leaves the balance', async () => {
      const result = await ledger().hold(holdOf({ amount: 4000 }))
      expect(result).to.deep.equal({ ok: true, balance: 10_000, held: 4000, available: 6000 })
      expect(await ledger().balance('acc')).to.deep.equal({ balance: 10_000, held: 4000, available: 6000, overage: 0, open: 1, seq: 1 })
    })

    it('T-61 is refused with the numbers when the money is not there, to the last thousandth', async () => {
      await hold({ amount: 4000 })
      const result = await ledger().hold(holdOf({ amount: 6001 }))
      expect(result).to.deep.equal({ ok: false, why: 'insufficient', balance: 10_000, held: 4000, available: 6000 })
      expect(await whyNot({ amount: 6000 })).to.equal('ok')
      expect(await whyNot({ amount: 1 })).to.equal('insufficient')
    })

    it('takes nothing for a free call, even with nothing left', async () => {
      await hold({ amount: 10_000 })
      expect(await whyNot({ amount: 0 })).to.equal('ok')
    })

    it('T-10 is refused when the epoch of the key has moved', async () => {
      expect(await whyNot({ auth: 1 })).to.equal('stale-auth')
      await fixture.store.keys.revoke('acc', 'key_1', NOON)
      expect(await whyNot({ auth: 0 })).to.equal('stale-auth')
      expect(await whyNot({ auth: 1 })).to.equal('ok')
    })

    it('is refused for an unknown account and for a disabled one', async () => {
      expect(await whyNot({ account: 'nobody' })).to.equal('absent')
      const account = await fixture.store.accounts.patch('acc', { disabled: true })
      expect(await whyNot({ auth: account?.auth ?? 0 })).to.equal('disabled')
      await fixture.store.accounts.patch('acc', { disabled: false })
      expect(await whyNot({ auth: 2 })).to.equal('ok')
    })

    it('is refused when too many are open, and again allowed when one is closed', async () => {
      const first = await hold({ maxOpen: 2 })
      await hold({ maxOpen: 2 })
      expect(await whyNot({ maxOpen: 2 })).to.equal('too-many-open')
      await ledger().release(releaseOf(first))
      expect(await whyNot({ maxOpen: 2 })).to.equal('ok')
    })

    it('never takes an id twice, neither while it is open nor after', async () => {
      const id = await hold()
      expect(await whyNot({ hold: id })).to.equal('duplicate')
      await ledger().charge(chargeOf(id))
      expect(await whyNot({ hold: id })).to.equal('duplicate')
      const other = await hold()
      await ledger().release(releaseOf(other))
      expect(await whyNot({ hold: other })).to.equal('duplicate')
    })

    it('N-13 sweeps its own account before it answers insufficient: a dead neighbour blocks nobody beyond its deadline', async () => {
      const dead = await hold({ amount: 10_000, owner: 'dead', deadline: NOON + 1000 })
      expect(await whyNot({ amount: 10_000, now: NOON + 1000 })).to.equal('insufficient')
      expect(await whyNot({ amount: 10_000, now: NOON + 1001 })).to.equal('ok')
      expect(await ledger().resolve('acc', dead)).to.include({ state: 'released', amount: 0 })
    })

    it('sweeps its own account before it answers too many open', async () => {
      await hold({ maxOpen: 1, deadline: NOON + 1000 })
      expect(await whyNot({ maxOpen: 1, now: NOON + 2000 })).to.equal('ok')
    })

    it('refuses amounts that are no whole or no positive number, and changes nothing', async () => {
      for (const amount of [0.5, -1, Number.NaN, 2 ** 60]) {
        const error: unknown = await ledger()
          .hold(holdOf({ amount }))
          .catch((thrown: unknown) => thrown)
        expect(error, String(amount)).to.be.instanceOf(RangeError)
      }
      expect(await ledger().balance('acc')).to.include({ held: 0, open: 0 })
    })
  })

  describe('charge', () => {
    it('takes what the call cost and gives back the rest', async () => {
      const id = await hold({ amount: 4000 })
      const result = await ledger().charge(chargeOf(id, 1500))
      expect(result).to.deep.equal({ ok: true, already: false, seq: 2, amount: 1500, balance: 8500, held: 0, available: 8500 })
    })

    it('T-62 happens once: repeated, it answers what the first one did', async () => {
      const id = await hold({ amount: 4000 })
      await ledger().charge(chargeOf(id, 1500))
      const again = await ledger().charge(chargeOf(id, 4000))
      expect(again).to.deep.equal({ ok: true, already: true, seq: 2, amount: 1500, balance: 8500, held: 0, available: 8500 })
    })

    it('is said to be refunded once it was given back', async () => {
      const id = await hold({ amount: 4000 })
      await ledger().charge(chargeOf(id, 1500))
      expect(await ledger().resolve('acc', id)).to.include({ state: 'charged', amount: 1500 })
      await ledger().refund({ account: 'acc', hold: id, reason: 'client gone', owner: 'gw1', now: NOON })
      expect(await ledger().resolve('acc', id)).to.include({ state: 'refunded', amount: 1500 })
    })

    it('is refused for a hold that was released, and for one that never was', async () => {
      const id = await hold()
      await ledger().release(releaseOf(id))
      expect(await ledger().charge(chargeOf(id))).to.deep.equal({ ok: false, why: 'released' })
      expect(await ledger().charge(chargeOf('never'))).to.deep.equal({ ok: false, why: 'absent' })
      expect(await ledger().charge(chargeOf('grant acc'))).to.deep.equal({ ok: false, why: 'absent' })
      expect(await ledger().balance('acc')).to.include({ balance: 10_000, held: 0 })
    })

    it('never takes more than was held', async () => {
      const id = await hold({ amount: 1000 })
      const error: unknown = await ledger()
        .charge(chargeOf(id, 1001))
        .catch((thrown: unknown) => thrown)
      expect(error).to.be.instanceOf(RangeError)
      expect(await ledger().resolve('acc', id)).to.include({ state: 'open', amount: 1000 })
    })

    it('one bad command does not take its neighbours of the same turn with it', async () => {
      const [good, bad, other] = [await hold(), await hold(), await hold()]
      const results = await Promise.allSettled([
        ledger().charge(chargeOf(good)),
        ledger().charge(chargeOf(bad, 99_999)),
        ledger().charge(chargeOf(other)),
      ])
      expect(results.map((result) => result.status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled'])
      expect(await ledger().balance('acc')).to.include({ balance: 8000, held: 1000, open: 1 })
    })
  })

  describe('release', () => {
    it('gives everything back and leaves a record of nothing', async () => {
      const id = await hold({ amount: 4000 })
      const result = await ledger().release(releaseOf(id))
      expect(result).to.deep.equal({ ok: true, already: false, seq: 2, amount: 0, balance: 10_000, held: 0, available: 10_000 })
      expect(await ledger().release(releaseOf(id))).to.include({ ok: true, already: true, seq: 2 })
    })

    it('is refused for a hold that was charged, and for one that never was', async () => {
      const id = await hold()
      await ledger().charge(chargeOf(id))
      expect(await ledger().release(releaseOf(id))).to.deep.equal({ ok: false, why: 'charged' })
      expect(await ledger().release(releaseOf('never'))).to.deep.equal({ ok: false, why: 'absent' })
    })

    it('of two racing resolutions exactly one wins', async () => {
      const ids = await Promise.all(Array.from({ length: 8 }, () => hold()))
      const results = await Promise.all(ids.flatMap((id) => [ledger().charge(chargeOf(id)), ledger().release(releaseOf(id))]))
      expect(results.filter((result) => result.ok)).to.have.length(8)
      expect(await ledger().balance('acc')).to.include({ held: 0, open: 0 })
    })
  })

  it('resolve says what became of a hold', async () => {
    const [open, charged, released] = [await hold(), await hold(), await hold()]
    await ledger().charge(chargeOf(charged, 700))
    await ledger().release(releaseOf(released))
    expect(await ledger().resolve('acc', open)).to.include({ state: 'open', amount: 1000 })
    expect(await ledger().resolve('acc', charged)).to.include({ state: 'charged', amount: 700 })
    expect(await ledger().resolve('acc', released)).to.include({ state: 'released', amount: 0 })
    expect(await ledger().resolve('acc', 'never')).to.include({ state: 'absent', amount: 0 })
    const { balance = null } = (await ledger().balance('acc')) ?? {}
    for (const hold of [open, charged, released, 'never']) expect(await ledger().resolve('acc', hold)).to.include({ balance })
    expect(await ledger().resolve('nobody', open)).to.include({ state: 'absent', amount: 0, balance: null })
  })

  describe('caps of a key', () => {
    const capped = (change: object) => ({ key: 'capped', capped: true, ...change })
    const used = async () => (await fixture.store.keys.get('acc', 'capped'))?.credits_used

    it('bound the total of open holds and charges, and get back what is not spent', async () => {
      await fixture.store.keys.create(keyOf({ id: 'capped', credit_limit: 3000 }))
      const id = await hold(capped({ amount: 2000 }))
      expect(await whyNot(capped({ amount: 1001 }))).to.equal('capped')
      await ledger().charge(chargeOf(id, 500))
      expect(await used()).to.equal(500)
      expect(await whyNot(capped({ amount: 2501 }))).to.equal('capped')
      const rest = await hold(capped({ amount: 2500 }))
      await ledger().release(releaseOf(rest))
      expect(await whyNot(capped({ amount: 2500 }))).to.equal('ok')
    })

    it('of a day start anew with the UTC day', async () => {
      await fixture.store.keys.create(keyOf({ id: 'capped', credit_limit_per_day: 1000 }))
      const midnight = Math.ceil(NOON / DAY) * DAY
      const id = await hold(capped({ now: midnight - 1, deadline: midnight + 60_000 }))
      expect(await whyNot(capped({ now: midnight - 1, amount: 1 }))).to.equal('capped')
      expect(await whyNot(capped({ now: midnight, amount: 1000, deadline: midnight + 60_000 }))).to.equal('ok')
      await ledger().release(releaseOf(id, { now: midnight + 1 }))
      expect(await whyNot(capped({ now: midnight + 1, amount: 1 })), 'what yesterday gives back is not of today').to.equal('capped')
    })

    it('F-34 of a day that is used up are not open again for a clock that was set back, and go on with the next day', async () => {
      await fixture.store.keys.create(keyOf({ id: 'capped', credit_limit_per_day: 1000 }))
      const first = await hold(capped({ amount: 600 }))
      const before = (ms: number) => ({ now: NOON - ms, deadline: NOON + DAY })
      expect(await whyNot(capped({ ...before(DAY), amount: 500 })), 'a day back').to.equal('capped')
      expect((await ledger().capRoom('acc', ['capped'], NOON - DAY))[0]?.day).to.deep.equal({ limit: 1000, left: 400 })
      expect(await whyNot(capped({ ...before(3 * DAY), amount: 400 })), 'what is left may be taken').to.equal('ok')
      expect(await whyNot(capped({ amount: 1 })), 'and counts for the day that had begun').to.equal('capped')
      await ledger().release(releaseOf(first, { now: NOON - DAY }))
      expect(await whyNot(capped({ ...before(DAY), amount: 601 })), 'a release gives back what it took').to.equal('capped')
      expect(await whyNot(capped({ ...before(DAY), amount: 600 }))).to.equal('ok')
      expect(await whyNot(capped({ now: NOON + DAY, deadline: NOON + 2 * DAY }))).to.equal('ok')
    })

    it('get a refund back on the same day only; the total always', async () => {
      await fixture.store.keys.create(keyOf({ id: 'capped', credit_limit_per_day: 1000, credit_limit: 5000 }))
      const first = await hold(capped({}))
      await ledger().charge(chargeOf(first))
      const back = { account: 'acc', hold: first, reason: 'client gone', owner: 'gw1' }
      await ledger().refund({ ...back, now: NOON })
      expect(await used()).to.equal(0)
      const second = await hold(capped({}))
      await ledger().charge(chargeOf(second))
      const tomorrow = { now: NOON + DAY, deadline: NOON + 2 * DAY }
      await hold(capped(tomorrow))
      await ledger().refund({ ...back, hold: second, now: NOON + DAY })
      expect(await used()).to.equal(0)
      expect(await whyNot(capped({ ...tomorrow, amount: 1 }))).to.equal('capped')
    })

    it('say what they have left, running calls taken off, of a day anew with the UTC day', async () => {
      await fixture.store.keys.create(keyOf({ id: 'capped', credit_limit: 5000, credit_limit_per_day: 2000 }))
      await fixture.store.keys.create(keyOf({ id: 'daily', credit_limit_per_day: 700 }))
      const room = async (now: number) =>
        (await ledger().capRoom('acc', ['capped', 'daily', 'gone'], now)).sort((one, two) => (one.id < two.id ? -1 : 1))
      await ledger().charge(chargeOf(await hold(capped({ amount: 1000 })), 600))
      await hold(capped({ amount: 900 }))
      const daily = { id: 'daily', total: null, day: { limit: 700, left: 700 } }
      expect(await room(NOON)).to.deep.equal([{ id: 'capped', total: { limit: 5000, left: 3500 }, day: { limit: 2000, left: 500 } }, daily])
      expect((await room(NOON + DAY))[0]).to.deep.equal({
        id: 'capped',
        total: { limit: 5000, left: 3500 },
        day: { limit: 2000, left: 2000 },
      })
      expect(await ledger().capRoom('nobody', ['capped'], NOON)).to.deep.equal([])
    })

    it('are counted for keys without caps too', async () => {
      await ledger().charge(chargeOf(await hold(), 700))
      await ledger().charge(chargeOf(await hold(), 300))
      expect((await fixture.store.keys.get('acc', 'key_1'))?.credits_used).to.equal(1000)
    })

    it('are given back by the sweep of an expired hold before anyone is refused', async () => {
      await fixture.store.keys.create(keyOf({ id: 'capped', credit_limit: 1000 }))
      await hold(capped({ deadline: NOON + 10 }))
      expect(await whyNot(capped({ now: NOON + 11 }))).to.equal('ok')
    })
  })

  it('T-61 many at once get exactly what the money allows', async () => {
    await furnish(fixture.store, 10_000, 'race')
    const results = await Promise.all(
      Array.from({ length: 60 }, () => ledger().hold(holdOf({ account: 'race', hold: fresh(), maxOpen: 1000 }))),
    )
    expect(results.filter((result) => result.ok)).to.have.length(10)
    expect(results.filter((result) => !result.ok && result.why === 'insufficient')).to.have.length(50)
  })
}
