import { expect } from 'chai'
import { ServerClock } from '../../../core/store/mongodb/server-clock.js'
import { useMongo } from '../../support/mongodb-store.js'
import { chargeOf, claimOf, furnish, holdOf, NOON } from '../../support/store.js'

/** A clock that is wrong by so many milliseconds. */
function wrongBy(ms: number): { now: () => number; monotonic: () => number; wrong: number } {
  return {
    wrong: ms,
    now(): number {
      return Date.now() + this.wrong
    },
    monotonic: () => performance.now(),
  }
}

describe('clocks of gateways on MongoDB', () => {
  const bench = useMongo()

  it('two gateways, one nine seconds ahead and one nine behind, never take each other for dead', async () => {
    const [ahead, behind] = [wrongBy(9_000), wrongBy(-9_000)]
    const one = await bench.gateway({ clock: ahead })
    const two = await bench.gateway({ clock: behind })
    for (let each = 0; each < 20; each++) {
      await two.leases.renew('behind', behind.now(), 15_000)
      await one.leases.renew('ahead', ahead.now(), 15_000)
      expect(await one.leases.dead(ahead.now())).to.deep.equal([])
      expect(await two.leases.live(behind.now())).to.deep.equal(['ahead', 'behind'])
    }
  })

  it('a gateway whose clock jumps ten minutes ahead releases, refunds and ends nothing of another', async () => {
    const clock = wrongBy(0)
    const wrong = await bench.gateway({ clock })
    const other = await bench.gateway()
    await furnish(other)
    await other.leases.renew('other', Date.now(), 20_000)
    const [running, slow] = [0, 1].map(() => holdOf({ owner: 'other', now: Date.now(), deadline: Date.now() + 150_000 }))
    for (const hold of [running, slow]) if (hold !== undefined) await other.ledger.hold(hold)
    await other.ledger.charge(chargeOf(slow?.hold ?? '', 1000, { owner: 'other', now: Date.now() }))
    clock.wrong = 600_000
    const now = clock.now()
    const dead = await wrong.leases.dead(now)
    expect(dead).to.deep.equal([])
    const report = await wrong.ledger.sweep({ now, graceMs: 30_000, owner: 'wrong', deadOwners: dead })
    expect(report).to.deep.equal({ released: 0, refunded: 0, idempotency: 0, leases: 0, aside: [] })
    expect(await other.ledger.charge(chargeOf(running?.hold ?? '', 1000, { owner: 'other', now: Date.now() }))).to.include({ ok: true })
  })

  it('a lock and a deadline taken by a wrong clock last as long as they were meant to', async () => {
    const clock = wrongBy(-9_000)
    const behind = await bench.gateway({ clock })
    const exact = await bench.gateway()
    await furnish(exact)
    const now = clock.now()
    const claim = claimOf({ now, lockUntil: now + 5_000, expires: now + 60_000 })
    expect(await behind.idempotency.claim(claim)).to.include({ state: 'claimed' })
    expect(
      await exact.idempotency.claim(claimOf({ now: Date.now(), lockUntil: Date.now() + 5_000, expires: Date.now() + 60_000 })),
    ).to.include({
      state: 'running',
    })
    const outcome = await behind.idempotency.claim(claimOf({ now: clock.now() }))
    expect(outcome.state === 'running' && Math.abs(outcome.lockUntil - claim.lockUntil), 'converted to the local clock').to.be.below(1_000)
    await behind.ledger.hold(holdOf({ now, deadline: now + 5_000 }))
    expect(await exact.ledger.sweep({ now: Date.now(), graceMs: 0, owner: 'gw2', deadOwners: [] })).to.include({ released: 0 })
  })

  it('between measurements the monotonic clock counts; noise of a round trip is no difference', () => {
    let [wall, monotonic] = [NOON, 0]
    const clock = new ServerClock({ now: () => wall, monotonic: () => monotonic })
    clock.measured(NOON + 900)
    expect(clock.correct(wall)).to.equal(NOON)
    clock.measured(NOON + 5_000)
    ;[wall, monotonic] = [NOON + 60_000, 60_000]
    expect(clock.correct(wall)).to.equal(NOON + 65_000)
    ;[wall, monotonic] = [NOON + 700_000, 70_000]
    expect(clock.correct(wall), 'the wall clock jumped').to.equal(NOON + 75_000)
  })
})
