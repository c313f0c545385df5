import { expect } from 'chai'
import fc from 'fast-check'
import type { Store } from '../../../core/store/types.js'
import { MONGODB } from '../../support/store-benches.js'
import { chargeOf, DAY, facts, fresh, furnish, holdOf, keyOf, NOON, releaseOf } from '../../support/store.js'

const limit = fc.option(fc.nat(6000), { nil: null })
const which = fc.nat(20)
const COMMANDS = fc.array(
  fc.oneof(
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('create' as const), of: fc.option(which, { nil: null }), total: limit, daily: limit }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('rotate' as const, 'revoke' as const), which }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('hold' as const), which, amount: fc.nat(2500) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('charge' as const), which, part: fc.nat(4) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('release' as const, 'refund' as const), which }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('publish' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, DAY / 2, DAY) }) },
  ),
  { minLength: 10, maxLength: 45, size: 'max' },
)
type Command = typeof COMMANDS extends fc.Arbitrary<(infer T)[]> ? T : never

interface Spending {
  readonly hold: string
  readonly key: string
  readonly caps: readonly string[]
  readonly day: number
  amount: number
  state: 'held' | 'charged' | 'over'
}

/** Keys and what they spent, as plainly as can be said: a cap is the sum of what its family holds and was charged. */
class Families {
  readonly #store: Store
  readonly #keys: { id: string; caps: readonly string[]; active: boolean }[] = []
  readonly #caps = new Map<string, { total: number; daily: number }>()
  readonly #spent: Spending[] = []
  #auth = 0
  #now = NOON

  constructor(store: Store) {
    this.#store = store
  }

  async step(command: Command): Promise<void> {
    switch (command.do) {
      case 'create':
        return await this.#create(command)
      case 'rotate':
      case 'revoke':
        return await this.#end(command)
      case 'hold':
        return await this.#hold(command)
      case 'publish':
        return await this.#store.ledger.delivered([{ account: 'acc', ref: 'none' }])
      case 'wait':
        this.#now += command.ms
        return
      default:
        return await this.#settle(command)
    }
  }

  async #create({ of, total, daily }: Extract<Command, { do: 'create' }>): Promise<void> {
    const active = this.#keys.filter((key) => key.active)
    const maker = of === null ? undefined : active[of % active.length]
    const id = fresh('k')
    const own = total === null && daily === null ? [] : [id]
    const caps = [...own, ...(maker?.caps ?? [])]
    if (own.length > 0) this.#caps.set(id, { total: total ?? Infinity, daily: daily ?? Infinity })
    const key = keyOf({ id, hash: id, credit_limit: total, credit_limit_per_day: daily, caps, created_at: this.#now })
    expect(await this.#store.keys.create(key)).to.deep.equal({ ok: true })
    this.#keys.push({ id, caps, active: true })
  }

  async #end(command: { readonly do: 'rotate' | 'revoke'; readonly which: number }): Promise<void> {
    const active = this.#keys.filter((key) => key.active)
    const key = active[command.which % active.length]
    if (key === undefined) return
    if (command.do === 'rotate') {
      const id = fresh('k')
      await this.#store.keys.create(keyOf({ id, hash: id, caps: key.caps, created_at: this.#now }), { replaces: key.id })
      this.#keys.push({ id, caps: key.caps, active: true })
    }
    await this.#store.keys.revoke('acc', key.id, this.#now)
    key.active = false
    this.#auth += 1
  }

  async #hold({ which, amount }: Extract<Command, { do: 'hold' }>): Promise<void> {
    const active = this.#keys.filter((key) => key.active)
    const key = active[which % active.length]
    if (key === undefined) return
    const { id, caps } = key
    const day = Math.floor(this.#now / DAY)
    const fits = caps.every((cap) => {
      const mine = this.#spent.filter((one) => one.state !== 'over' && one.caps.includes(cap))
      const sum = (some: readonly Spending[]) => some.reduce((all, one) => all + one.amount, amount)
      const { total = 0, daily = 0 } = this.#caps.get(cap) ?? {}
      return sum(mine) <= total && sum(mine.filter((one) => one.day === day)) <= daily
    })
    const times = { now: this.#now, deadline: this.#now + 9 * DAY, auth: this.#auth }
    const request = holdOf({ key: id, capped: caps.length > 0, caps, amount, maxOpen: 1000, ...times })
    const result = await this.#store.ledger.hold(request)
    expect(result.ok ? 'ok' : result.why).to.equal(fits ? 'ok' : 'capped')
    if (result.ok) this.#spent.push({ hold: request.hold, key: id, caps, day, amount, state: 'held' })
  }

  async #settle(command: Extract<Command, { do: 'charge' | 'release' | 'refund' }>): Promise<void> {
    const wanted = this.#spent.filter(({ state }) => state === (command.do === 'refund' ? 'charged' : 'held'))
    const one = wanted[command.which % wanted.length]
    if (one === undefined) return
    const now = this.#now
    if (command.do === 'charge') {
      one.amount = Math.floor((one.amount * command.part) / 4)
      one.state = 'charged'
      const request = chargeOf(one.hold, one.amount, { now, facts: facts({ key_id: one.key }) })
      expect(await this.#store.ledger.charge(request)).to.include({ ok: true, already: false })
      return
    }
    one.state = 'over'
    if (command.do === 'release') await this.#store.ledger.release(releaseOf(one.hold, { now }))
    else await this.#store.ledger.refund({ account: 'acc', hold: one.hold, reason: 'client gone', owner: 'gw1', now })
  }
}

describe('caps of families on MongoDB', () => {
  before(async function () {
    await MONGODB.needs(this)
  })

  it('whatever keys are made, rotated and revoked, and whatever calls they make, a family is refused exactly beyond its caps', async () => {
    const property = fc.asyncProperty(COMMANDS, async (commands) => {
      const opened = await MONGODB.open()
      try {
        await furnish(opened.store, 10_000_000)
        const families = new Families(opened.store)
        for (const command of commands) await families.step(command)
        expect(await opened.audit(NOON)).to.deep.equal([])
      } finally {
        await opened.end()
      }
    })
    await fc.assert(property, { numRuns: 10 })
  }).timeout(300_000)
})
