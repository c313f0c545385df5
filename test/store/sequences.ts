import { expect } from 'chai'
import fc from 'fast-check'
import type { Store } from '../../core/store/types.js'
import { chargeOf, DAY, facts, fresh, holdOf, keyOf, NOON, releaseOf } from '../support/store.js'
import { Reference } from './reference.js'

const owner = fc.constantFrom('gw1', 'gw2')
/** Which of the ids made so far; some are of holds that were refused and so never existed. */
const which = fc.nat(30)

const COMMANDS = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('hold' as const),
      amount: fc.nat(4000),
      key: fc.constantFrom('plain', 'capped', 'daily'),
      life: fc.constantFrom(500, 100_000),
      maxOpen: fc.constantFrom(4, 64),
      owner,
      again: fc.constantFrom(false, false, false, true),
      stale: fc.constantFrom(false, false, false, true),
      which,
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('charge' as const), part: fc.integer({ min: 0, max: 4 }), owner, which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('release' as const), owner, which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('refund' as const), owner, which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('deliver' as const), which }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('post' as const),
      kind: fc.constantFrom('grant', 'adjust', 'expire'),
      amount: fc.nat(3000),
      ref: fc.nat(6),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('overage' as const), limit: fc.nat(3000), ref: fc.nat(6) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('sweep' as const),
      dead: fc.constantFrom<readonly string[] | 'all-but-owner'>([], ['gw2'], 'all-but-owner'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 400, 31_000, DAY / 2) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('revoke' as const) }) },
)
export type Command = typeof COMMANDS extends fc.Arbitrary<infer T> ? T : never

/** Sequences of up to 100 commands. */
export const SEQUENCES = fc.array(COMMANDS, { minLength: 1, maxLength: 100, size: 'max' })

/** Runs one sequence on an account of its own, on the store and on the reference, and compares every answer. */
export class SequenceRun {
  readonly #store: Store
  readonly account: string
  readonly reference = new Reference()
  readonly #ids: { id: string; amount: number }[] = [{ id: 'never', amount: 0 }]
  #now = NOON
  #auth = 0

  constructor(store: Store, account: string) {
    this.#store = store
    this.account = account
  }

  async furnish(): Promise<void> {
    await this.#store.accounts.create({ id: this.account, name: 'First Last', now: NOON })
    const keys = { plain: [null, null], capped: [9000, null], daily: [null, 5000] } as const
    for (const [name, [limit, perDay]] of Object.entries(keys)) {
      await this.#store.keys.create(
        keyOf({ account: this.account, id: this.#key(name), hash: this.#key(name), credit_limit: limit, credit_limit_per_day: perDay }),
      )
      this.reference.keys.set(this.#key(name), { limit, perDay, used: 0, reserved: 0, day: 0, taken: 0 })
    }
  }

  #key(name: string): string {
    return `${name} of ${this.account}`
  }

  async step(command: Command): Promise<void> {
    const { ledger } = this.#store
    const { account, reference } = this
    const now = this.#now
    const picked = 'which' in command ? this.#ids[command.which % this.#ids.length] : undefined
    const target = picked ?? { id: 'never', amount: 0 }
    switch (command.do) {
      case 'hold': {
        const hold = command.again ? target.id : fresh()
        const { amount, maxOpen } = command
        const place = { account, hold, amount, maxOpen, owner: command.owner, key: this.#key(command.key), capped: command.key !== 'plain' }
        const request = holdOf({ ...place, now, deadline: now + command.life, auth: command.stale ? this.#auth + 1 : this.#auth })
        const written = reference.lines.length
        expect(await ledger.hold(request)).to.deep.equal(reference.hold(request))
        await this.#takeOrder(written)
        if (!command.again) this.#ids.push({ id: hold, amount })
        else if (reference.holds.get(hold)?.amount === amount) target.amount = amount
        break
      }
      case 'charge': {
        const amount = Math.floor((target.amount * command.part) / 4)
        const request = chargeOf(target.id, amount, { account, owner: command.owner, now, facts: facts({ mode: `${command.part}` }) })
        expect(await ledger.charge(request)).to.deep.equal(reference.resolve(target.id, 'charge', amount, command.owner))
        break
      }
      case 'release': {
        const request = releaseOf(target.id, { account, owner: command.owner, now, ...(target.amount % 2 === 0 ? { facts: null } : {}) })
        expect(await ledger.release(request)).to.deep.equal(reference.resolve(target.id, 'release', 0, command.owner))
        break
      }
      case 'refund': {
        const request = { account, hold: target.id, reason: 'client gone', owner: command.owner, now }
        expect(await ledger.refund(request)).to.deep.equal(reference.refund(target.id, command.owner))
        break
      }
      case 'deliver':
        await ledger.delivered([{ account, ref: target.id }])
        reference.deliver(target.id)
        break
      case 'post': {
        const amount = command.kind === 'grant' ? command.amount : 0 - command.amount
        const request = { account, ref: `p${command.ref}`, kind: command.kind, amount, note: null, facts: null, owner: 'cli', now } as const
        expect(await ledger.post(request)).to.deep.equal(reference.post(request))
        break
      }
      case 'overage': {
        const ref = `p${command.ref}`
        const result = await ledger.setOverage({ account, limit: command.limit, ref, owner: 'cli', now })
        expect(result).to.deep.equal(reference.setOverage(command.limit, ref, 'cli'))
        break
      }
      case 'sweep': {
        const written = reference.lines.length
        const report = await ledger.sweep({ now, graceMs: 30_000, owner: 'gw1', deadOwners: command.dead })
        expect(report).to.include(reference.sweep(now, 30_000, 'gw1', command.dead))
        await this.#takeOrder(written)
        break
      }
      case 'wait':
        this.#now += command.ms
        break
      case 'revoke':
        this.#auth += 1
        this.reference.auth += 1
        await this.#store.keys.revoke(account, await this.#spare(), now)
    }
    await this.#check()
  }

  /** A command that ended several holds or charges may have done so in any order. */
  async #takeOrder(written: number): Promise<void> {
    if (this.reference.lines.length < written + 2) return
    const entries = await this.#store.ledger.entries({ account: this.account, afterSeq: written, limit: 1000 })
    this.reference.reorder(
      written,
      entries.map((entry) => entry.ref),
    )
  }

  /** A key whose only use is to be revoked. */
  async #spare(): Promise<string> {
    const id = fresh('spare')
    await this.#store.keys.create(keyOf({ account: this.account, id, hash: id }))
    return id
  }

  /** L1 and L2 after every step. */
  async #check(): Promise<void> {
    const { reference } = this
    const expected = { ...reference.balance, overage: reference.over, open: reference.holds.size, seq: reference.lines.length }
    expect(await this.#store.ledger.balance(this.account)).to.deep.equal(expected)
    expect(expected.available, 'L2').to.be.at.least(0)
  }

  /** L3 to L6, L10 and the caps, at the end. */
  async end(): Promise<void> {
    const { ledger, history, keys } = this.#store
    const { lines } = this.reference
    const entries = await ledger.entries({ account: this.account, limit: 1000 })
    const seen = entries.map(({ ref, kind, amount, after, owner, seq, delivered }) => ({
      ref,
      kind,
      amount,
      after,
      owner,
      seq,
      delivered: delivered === true,
    }))
    const wanted = lines.map(({ ref, kind, amount, after, owner, delivered }, index) => ({
      ref,
      kind,
      amount,
      after,
      owner,
      seq: index + 1,
      delivered,
    }))
    expect(seen).to.deep.equal(wanted)
    const calls = lines.filter((line) => line.kind === 'charge' || line.kind === 'release')
    const { rows, total } = await history.calls({ account: this.account, limit: 1000, offset: 0 })
    expect(total).to.equal(calls.length)
    expect(rows.map((row) => row.id)).to.deep.equal(calls.map((line) => line.ref).toReversed())
    for (const [id, key] of this.reference.keys) expect((await keys.get(this.account, id))?.credits_used, id).to.equal(key.used)
  }
}
