import { expect } from 'chai'
import { op, plainFilter } from '../../../core/store/mongodb/filter.js'
import type { Store } from '../../../core/store/types.js'
import { useMongo } from '../../support/mongodb-store.js'
import { ALL_KEYS, answer, artifactOf, chargeOf, claimOf, furnish, holdOf, keyOf, NOON, releaseOf } from '../../support/store.js'

/** What a caller's JSON could smuggle in where text is expected. */
const SMUGGLED: readonly unknown[] = [
  { $ne: null },
  { $gt: '' },
  { $regex: '.*' },
  { $where: 'true' },
  ['acc'],
  { $in: ['acc'] },
  undefined,
  Symbol('acc'),
]

describe('T-12 objects where text is expected', () => {
  const bench = useMongo()
  let store: Store

  beforeEach(async () => {
    store = await bench.gateway()
    await furnish(store)
    await store.settings.put('secret', 'kept')
  })

  const owner = { owner: 'gw1', now: NOON }
  /** Every method of the port that takes an id, with the value in its place. */
  const attacks: Record<string, (value: string) => Promise<unknown>> = {
    'ledger.hold account': (account) => store.ledger.hold(holdOf({ account })),
    'ledger.hold id': (hold) => store.ledger.hold(holdOf({ hold })),
    'ledger.hold key of a capped one': (key) => store.ledger.hold(holdOf({ key, capped: true })),
    'ledger.charge account': (account) => store.ledger.charge(chargeOf('h', 1, { account })),
    'ledger.release account': (account) => store.ledger.release(releaseOf('h', { account })),
    'ledger.post account': (account) =>
      store.ledger.post({ account, ref: 'r', kind: 'grant', amount: 1, note: null, facts: null, ...owner }),
    'ledger.post reference': (ref) =>
      store.ledger.post({ account: 'acc', ref, kind: 'grant', amount: 1, note: null, facts: null, ...owner }),
    'ledger.refund account': (account) => store.ledger.refund({ account, hold: 'h', reason: 'x', ...owner }),
    'ledger.setOverage account': (account) => store.ledger.setOverage({ account, limit: 5, ref: 'o', ...owner }),
    'ledger.resolve account': (account) => store.ledger.resolve(account, 'h'),
    'ledger.balance': (account) => store.ledger.balance(account),
    'ledger.delivered account': (account) => store.ledger.delivered([{ account, ref: 'h' }]),
    'ledger.delivered reference': (ref) => store.ledger.delivered([{ account: 'acc', ref }]),
    'ledger.entries': (afterAccount) => store.ledger.entries({ afterAccount, limit: 5 }),
    'ledger.sweep dead owner': (dead) => store.ledger.sweep({ ...owner, graceMs: 0, deadOwners: [dead] }),
    'accounts.create': (id) => store.accounts.create({ id, name: 'x', now: NOON }),
    'accounts.create name': (name) => store.accounts.create({ id: 'new', name, now: NOON }),
    'accounts.get': (id) => store.accounts.get(id),
    'accounts.byName': (name) => store.accounts.byName(name),
    'accounts.patch': (id) => store.accounts.patch(id, { disabled: true }),
    'keys.create id': (id) => store.keys.create({ ...keyOf(), id }),
    'keys.create hash': (hash) => store.keys.create(keyOf({ id: 'new', hash })),
    'keys.create account': (account) => store.keys.create(keyOf({ id: 'new', account })),
    'keys.find': (hash) => store.keys.find(hash),
    'keys.get': (id) => store.keys.get('acc', id),
    'keys.list': (account) => store.keys.list(account, ALL_KEYS),
    'keys.revoke': (id) => store.keys.revoke('acc', id, NOON),
    'keys.expire': (id) => store.keys.expire('acc', id, NOON),
    'keys.touch': (id) => store.keys.touch([{ id, at: NOON }]),
    'idempotency.claim key': (key) => store.idempotency.claim(claimOf({ key })),
    'idempotency.claim account': (account) => store.idempotency.claim(claimOf({ account })),
    'idempotency.claim fingerprint': (fingerprint) => store.idempotency.claim(claimOf({ fingerprint })),
    'idempotency.keep': (hold) => store.idempotency.keep({ account: 'acc', key: 'k', attempt: 1, hold, response: answer(), now: NOON }),
    'idempotency.free': (hold) => store.idempotency.free({ account: 'acc', key: 'k', attempt: 1, hold }),
    'history.calls account': (account) => store.history.calls({ account, limit: 5, offset: 0 }),
    'history.usage account': (account) => store.history.usage({ account, sinceDay: '2026-01-01' }),
    'leases.renew': (instance) => store.leases.renew(instance, NOON, 1),
    'leases.end': (instance) => store.leases.end(instance),
    'artifacts.reserve': (account) => store.artifacts.reserve(artifactOf({ account }), 1000),
    'artifacts.grow': (account) => store.artifacts.grow({ id: 'artifact', account, bytes: 1, quota: 1000, now: 0 }),
    'artifacts.get': (id) => store.artifacts.get(id),
    'artifacts.remove': (id) => store.artifacts.remove(id),
    'artifacts.used': (account) => store.artifacts.used(account),
  }

  for (const [name, attack] of Object.entries(attacks))
    it(`${name}: refused before anything is sent, and nothing changes`, async () => {
      const before = await everything()
      for (const value of SMUGGLED) {
        if (value === undefined && /usage|entries/.test(name)) continue
        const outcome: unknown = await attack(value as string).then(
          (result) => ({ answered: result }),
          (error: unknown) => error,
        )
        const harmless = outcome instanceof TypeError || outcome instanceof RangeError
        expect(harmless || isAbsent(outcome), `${String(JSON.stringify(value))}: ${JSON.stringify(outcome)}`).to.equal(true)
      }
      expect(await everything()).to.deep.equal(before)
    })

  const isAbsent = (outcome: unknown) => JSON.stringify(outcome) === '{"answered":{"ok":false,"why":"absent"}}'
  const everything = async () => {
    const found: Record<string, unknown> = {}
    for (const name of ['accounts', 'entries', 'keys', 'idempotency', 'gateways', 'artifacts', 'settings'])
      found[name] = await bench.documents(name)
    return JSON.stringify(found)
  }

  it('settings: a name with the form of a path or an operator is a name', async () => {
    for (const name of ['$set', 'a.b', '__proto__', 'values', '%24', 'a\0b']) {
      expect(await store.settings.get(name)).to.equal(null)
      await store.settings.put(name, name)
      expect(await store.settings.get(name)).to.equal(name)
    }
    expect((await store.settings.list('')).map(({ name }) => name)).to.have.members([
      '$set',
      'a.b',
      '__proto__',
      'values',
      '%24',
      'a\0b',
      'secret',
    ])
    expect(await store.settings.get('secret')).to.equal('kept')
  })

  it('ids that become field names are refused when they could be a path, an operator or a name of JavaScript', async () => {
    for (const hold of ['a.b', '$inc', '', '__proto__', 'a\0', 'x'.repeat(129), 'é'])
      expect(await store.ledger.hold(holdOf({ hold })).catch((error: unknown) => error), hold).to.be.instanceOf(RangeError)
    for (const id of ['a.b', '$inc', '__proto__'])
      expect(await store.keys.create(keyOf({ id, hash: id, credit_limit: 1 })).catch((error: unknown) => error), id).to.be.instanceOf(
        RangeError,
      )
    expect(await store.ledger.charge(chargeOf('a.b'))).to.deep.equal({ ok: false, why: 'absent' })
    expect(await store.ledger.resolve('acc', '$where')).to.include({ state: 'absent', amount: 0 })
  })

  it('a filter takes plain values and the comparisons of this store, nothing that only resembles one', () => {
    expect(() => plainFilter({ _id: { $gt: '' } as never })).to.throw(TypeError, '_id')
    expect(() => op({ $in: [{ $gt: '' } as never] })).to.throw(TypeError)
    expect(() => op({ $ne: JSON.parse('{"$gt":""}') as never })).to.throw(TypeError)
    expect(plainFilter({ _id: 'a', n: op({ $gte: 3 }) })).to.deep.include({ _id: 'a' })
  })
})
