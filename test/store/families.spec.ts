import { expect } from 'chai'
import fc from 'fast-check'
import { auditLedger } from '../../scripts/capstan/audit/ledger.js'
import type { KeyRecord, Store } from '../../core/store/types.js'
import { chargeOf, DAY, fresh, furnish, holdOf, keyOf, NOON, releaseOf, temporaryStore } from '../support/store.js'

const STEPS = fc.array(
  fc.record({
    do: fc.constantFrom('child', 'child', 'rotate', 'revoke', 'hold', 'hold', 'hold', 'charge', 'charge', 'release', 'refund', 'day'),
    which: fc.nat(40),
    amount: fc.integer({ min: 1, max: 700 }),
    limit: fc.constantFrom(null, 500, 1500),
    perDay: fc.constantFrom(null, 300, 900),
  }),
  { minLength: 5, maxLength: 60, size: 'max' },
)

/** The caps of a key made with another, as the port wants them named. */
const capsOf = (id: string, limited: boolean, parent: readonly string[]) => [...(limited ? [id] : []), ...parent]

/** Keys and calls of one account, and what each cap's family took, counted by hand. */
class Family {
  readonly #store: Store
  readonly keys: KeyRecord[] = []
  readonly calls: { id: string; key: KeyRecord; amount: number; charged: number; day: number; state: 'held' | 'charged' | 'ended' }[] = []
  now = NOON

  constructor(store: Store) {
    this.#store = store
  }

  async make(change: Partial<KeyRecord>, replaces?: string): Promise<void> {
    const key = keyOf({ created_at: this.now, ...change })
    expect(await this.#store.keys.create(key, replaces === undefined ? {} : { replaces })).to.deep.equal({ ok: true })
    this.keys.push(key)
  }

  async child(of: KeyRecord, limit: number | null, perDay: number | null): Promise<void> {
    const id = fresh('key')
    const limited = limit !== null || perDay !== null
    await this.make({ id, hash: id, credit_limit: limit, credit_limit_per_day: perDay, caps: capsOf(id, limited, of.caps) })
  }

  async rotate(key: KeyRecord): Promise<void> {
    const id = fresh('key')
    await this.make({ ...key, id, hash: id }, key.id)
    await this.#store.keys.expire('acc', key.id, this.now + 1000)
  }

  async hold(key: KeyRecord, amount: number, auth: number): Promise<void> {
    const capped = key.caps.length > 0
    const request = holdOf({
      key: key.id,
      capped,
      caps: key.caps,
      amount,
      auth,
      now: this.now,
      deadline: this.now + 30 * DAY,
      maxOpen: 500,
    })
    const result = await this.#store.ledger.hold(request)
    if (result.ok) this.calls.push({ id: request.hold, key, amount, charged: 0, day: Math.floor(this.now / DAY), state: 'held' })
    else expect(result.why).to.equal('capped')
  }

  /** Held and spent by the family of a cap. */
  taken(cap: string, day: number | null): number {
    return this.calls
      .filter((call) => call.key.caps.includes(cap) && (day === null || call.day === day))
      .reduce((sum, call) => sum + (call.state === 'held' ? call.amount : call.charged), 0)
  }

  expectWithin(): void {
    for (const { id, credit_limit, credit_limit_per_day, caps } of this.keys) {
      if (!caps.includes(id)) continue
      if (credit_limit !== null) expect(this.taken(id, null), `cap ${id}`).to.be.at.most(credit_limit)
      for (let day = Math.floor(NOON / DAY); day * DAY <= this.now; day++)
        if (credit_limit_per_day !== null) expect(this.taken(id, day), `cap ${id} on a day`).to.be.at.most(credit_limit_per_day)
    }
  }
}

describe('spending caps of a family on SQLite', () => {
  let opened: Awaited<ReturnType<typeof temporaryStore>>
  let store: Store
  beforeEach(async () => {
    opened = await temporaryStore()
    store = opened.store
    await furnish(store, 1_000_000)
  })
  afterEach(() => opened.end())

  it('a child without a cap of its own takes from that of its maker, all or nothing, and gives back to it', async () => {
    await store.keys.create(keyOf({ id: 'root', credit_limit: 1000, credit_limit_per_day: 800 }))
    await store.keys.create(keyOf({ id: 'child', caps: ['root'] }))
    await store.keys.create(keyOf({ id: 'poor', credit_limit: 100, caps: ['poor', 'root'] }))
    const hold = (key: string, caps: string[], amount: number, now = NOON) =>
      store.ledger.hold(holdOf({ key, caps, capped: true, amount, now, deadline: NOON + 9 * DAY }))
    expect(await hold('poor', ['poor', 'root'], 101)).to.deep.equal({ ok: false, why: 'capped' })
    expect(await hold('root', ['root'], 800), 'the refused hold took nothing').to.include({ ok: true })
    expect(await hold('child', ['root'], 1)).to.deep.equal({ ok: false, why: 'capped' })
    expect(await hold('child', ['root'], 200, NOON + DAY), 'the next day').to.include({ ok: true })
    expect(await hold('child', ['root'], 1, NOON + DAY), 'the whole').to.deep.equal({ ok: false, why: 'capped' })
    expect(auditLedger({ file: opened.file, now: NOON }).problems).to.deep.equal([])
  })

  it('a rotated key goes on with what its predecessor spent', async () => {
    await store.keys.create(keyOf({ id: 'old', credit_limit: 1000 }))
    const first = holdOf({ key: 'old', capped: true, caps: ['old'], amount: 700 })
    await store.ledger.hold(first)
    await store.ledger.charge(chargeOf(first.hold, 600))
    await store.keys.create(keyOf({ id: 'new', credit_limit: 1000, caps: ['old'] }), { replaces: 'old' })
    await store.keys.revoke('acc', 'old', NOON)
    const hold = (amount: number) => store.ledger.hold(holdOf({ key: 'new', capped: true, amount, auth: 1 }))
    expect(await hold(401), 'also when the caller does not name its caps').to.deep.equal({ ok: false, why: 'capped' })
    expect(await hold(400)).to.include({ ok: true })
    expect((await store.keys.get('acc', 'new'))?.credits_used, 'the own use').to.equal(0)
    expect((await store.keys.get('acc', 'old'))?.credits_used).to.equal(600)
  })

  it('of 120 sequences of creations, rotations, revocations, holds, charges and refunds none passes a cap, in all or on a day', async function () {
    this.timeout(120_000)
    const property = fc.asyncProperty(STEPS, async (steps) => {
      const own = await temporaryStore()
      try {
        await furnish(own.store, 10_000_000)
        const family = new Family(own.store)
        await family.make({ id: 'root', credit_limit: 2500, credit_limit_per_day: 1200, caps: ['root'] })
        await family.make({ id: 'free' })
        for (const { do: what, which, amount, limit, perDay } of steps) {
          const key = family.keys[which % family.keys.length]
          const call = family.calls.length === 0 ? undefined : family.calls[which % family.calls.length]
          if (key === undefined) throw new Error('there is always one')
          const place = { account: 'acc', owner: 'gw1', now: family.now }
          const auth = (await own.store.accounts.get('acc'))?.auth ?? 0
          if (what === 'child' && key.caps.length < 6) await family.child(key, limit, perDay)
          if (what === 'rotate') await family.rotate(key)
          if (what === 'revoke' && key.id !== 'root') await own.store.keys.revoke('acc', key.id, family.now)
          if (what === 'hold') await family.hold(key, amount, auth)
          if (what === 'day') family.now += DAY / 2
          if (call === undefined) continue
          if (what === 'charge' && call.state === 'held') {
            const charged = Math.min(amount, call.amount)
            expect((await own.store.ledger.charge(chargeOf(call.id, charged, { now: family.now }))).ok).to.equal(true)
            Object.assign(call, { charged, state: 'charged' })
          }
          if (what === 'release' && call.state === 'held') {
            await own.store.ledger.release(releaseOf(call.id, { now: family.now }))
            call.state = 'ended'
          }
          if (what === 'refund' && call.state === 'charged') {
            await own.store.ledger.refund({ ...place, hold: call.id, reason: 'client gone' })
            Object.assign(call, { charged: 0, state: 'ended' })
          }
          family.expectWithin()
        }
        expect(auditLedger({ file: own.file, now: NOON }).problems).to.deep.equal([])
      } finally {
        await own.end()
      }
    })
    await fc.assert(property, { numRuns: 120 })
  })
})
