import { expect } from 'chai'
import type { Store } from '../../../core/store/types.js'
import { rawMongo } from '../../support/mongodb.js'
import { useMongo } from '../../support/mongodb-store.js'
import { ALL_KEYS, artifactOf, chargeOf, DAY, facts, fresh, furnish, holdOf, keyOf, NOON, releaseOf } from '../../support/store.js'

const MIDNIGHT = Math.ceil(NOON / DAY) * DAY

describe('caps, keys and room on MongoDB', () => {
  const bench = useMongo()
  let store: Store

  beforeEach(async () => {
    store = await bench.gateway()
    await furnish(store, 100_000)
  })

  const capped = (change: object = {}) => holdOf({ key: 'capped', capped: true, ...change })
  const account = async () => (await bench.documents('accounts'))[0] ?? {}
  const why = async (request: ReturnType<typeof holdOf>, by = store) => {
    const result = await by.ledger.hold(request)
    return result.ok ? 'ok' : result.why
  }

  it('T-61 a cap of a day holds for all gateways together, also at the moment when the day turns on all of them', async () => {
    const gateways = [store, await bench.gateway(), await bench.gateway()]
    await store.keys.create(keyOf({ id: 'capped', credit_limit_per_day: 5000 }))
    for (const now of [MIDNIGHT - 1, MIDNIGHT]) {
      const requests = Array.from({ length: 24 }, () => capped({ now, deadline: now + DAY }))
      const results = await Promise.all(requests.map((request, index) => why(request, gateways[index % gateways.length])))
      expect(results.filter((result) => result === 'ok')).to.have.length(5)
      expect(results.filter((result) => result === 'capped')).to.have.length(19)
    }
  })

  it('a gateway whose clock is behind does not start yesterday anew: the cap of the day is given once', async () => {
    await store.keys.create(keyOf({ id: 'capped', credit_limit_per_day: 1000 }))
    expect(await why(capped({ now: MIDNIGHT + 5, deadline: MIDNIGHT + DAY }))).to.equal('ok')
    expect(await why(capped({ now: MIDNIGHT - 5, deadline: MIDNIGHT + DAY }))).to.equal('capped')
    expect(await why(capped({ now: MIDNIGHT + 6, deadline: MIDNIGHT + DAY }))).to.equal('capped')
  })

  it('a call of a key that was revoked meanwhile is still charged, and released ones give back what they held', async () => {
    await store.keys.create(keyOf({ id: 'capped', credit_limit: 5000 }))
    const [charged, released] = [capped(), capped()]
    await store.ledger.hold(charged)
    await store.ledger.hold(released)
    await store.keys.revoke('acc', 'capped', NOON)
    expect(await account()).to.deep.include({ caps: {}, capped: 0 })
    expect(await store.ledger.charge(chargeOf(charged.hold, 700))).to.include({ ok: true, amount: 700 })
    expect(await store.ledger.release(releaseOf(released.hold))).to.include({ ok: true, held: 0 })
    await store.ledger.refund({ account: 'acc', hold: charged.hold, reason: 'client gone', owner: 'gw1', now: NOON })
    expect(await account()).to.deep.include({ caps: {}, capped: 0, bal: 100_000 })
    expect(await bench.audit()).to.deep.equal([])
  })

  it('expired holds of several capped keys are swept in one step before a hold is refused', async () => {
    for (const id of ['capped', 'other']) await store.keys.create(keyOf({ id, hash: id, credit_limit: 5000, credit_limit_per_day: 4000 }))
    await store.ledger.hold(capped({ amount: 1000, deadline: NOON + 1 }))
    await store.ledger.hold(capped({ key: 'other', amount: 1000, deadline: NOON + 1 }))
    expect(await why(capped({ maxOpen: 2, now: NOON + 2 }))).to.equal('ok')
    const { caps } = (await account()) as { caps: Record<string, object> }
    expect(caps['other']).to.deep.include({ left: 5000, dleft: 4000 })
    expect(caps['capped']).to.deep.include({ left: 4000, dleft: 3000 })
    expect(await bench.audit(NOON + 2)).to.deep.equal([])
  })

  it('two hundred places are given once, however many makers there are, and a maker that died gives its place back', async () => {
    const db = await rawMongo(bench.uri)
    const places = Object.fromEntries(
      Array.from({ length: 198 }, (_, n) => [`left${n}`, { left: 1, day: 0, dleft: 1, dlim: 1, at: NOON - 30_000 }]),
    )
    await db.collection<{ _id: string }>('accounts').updateOne({ _id: 'acc' }, { $set: { caps: places, capped: 198 } })
    const make = (now: number) => {
      const id = fresh('k')
      return store.keys.create(keyOf({ id, hash: id, credit_limit: 1, created_at: now }))
    }
    const made = await Promise.all(Array.from({ length: 6 }, () => make(NOON)))
    expect(made.filter(({ ok }) => ok)).to.have.length(2)
    expect(await make(NOON + 120_000), 'their makers are long dead').to.deep.equal({ ok: true })
    expect(await account()).to.include({ capped: 3 })
  })

  it('a family spends on one cap: a hold takes from every cap of its key or none, and each end gives back to all', async () => {
    await store.keys.create(keyOf({ id: 'root', credit_limit: 5000 }))
    await store.keys.create(keyOf({ id: 'child', credit_limit: 3000, caps: ['child', 'root'] }))
    await store.keys.create(keyOf({ id: 'plain', caps: ['root'] }))
    expect((await store.keys.get('acc', 'child'))?.caps).to.deep.equal(['child', 'root'])
    expect((await store.keys.find('hash of plain'))?.key.caps).to.deep.equal(['root'])
    const by = (key: string, amount: number) => capped({ key, amount, caps: key === 'plain' ? ['root'] : [key, 'root'] })
    const [first, second] = [by('child', 2000), by('plain', 2500)]
    expect([await why(first), await why(second)]).to.deep.equal(['ok', 'ok'])
    expect(await why(by('child', 600)), 'the family has 500 left').to.equal('capped')
    const left = async () =>
      Object.fromEntries(Object.entries((await account())['caps'] as Record<string, { left: number }>).map(([id, cap]) => [id, cap.left]))
    expect(await left()).to.deep.equal({ root: 500, child: 1000 })
    await store.ledger.charge(chargeOf(first.hold, 1500, { facts: facts({ key_id: 'child' }) }))
    await (await bench.gateway()).ledger.release(releaseOf(second.hold))
    expect(await left()).to.deep.equal({ root: 3500, child: 1500 })
    const late = { account: 'acc', ref: `late:${second.hold}`, kind: 'charge', amount: -400, note: null, owner: 'gw1', now: NOON } as const
    await store.ledger.post({ ...late, facts: facts({ key_id: 'plain' }) })
    expect(await left()).to.deep.equal({ root: 3100, child: 1500 })
    await store.ledger.refund({ account: 'acc', hold: first.hold, reason: 'client gone', owner: 'gw1', now: NOON })
    expect(await left()).to.deep.equal({ root: 4600, child: 3000 })
    expect((await store.keys.get('acc', 'plain'))?.credits_used, 'what a key used is its own').to.equal(400)
    expect((await store.keys.get('acc', 'root'))?.credits_used).to.equal(0)
    expect(await bench.audit()).to.deep.equal([])
    await store.ledger.delivered([{ account: 'acc', ref: 'none' }])
    expect(await bench.audit()).to.deep.equal([])
  })

  it('a cap stays while an active key spends on it, and goes with the last', async () => {
    const caps = async () => Object.keys((await account())['caps'] as object).sort()
    await store.keys.create(keyOf({ id: 'root', credit_limit: 5000 }))
    await store.keys.create(keyOf({ id: 'turned', credit_limit: 5000, caps: ['root'] }), { replaces: 'root' })
    await store.keys.create(keyOf({ id: 'child', credit_limit: 10, caps: ['child', 'root'], expires_at: NOON + 100 }))
    expect(await caps(), 'a rotated key goes on with the cap there is').to.deep.equal(['child', 'root'])
    await store.keys.revoke('acc', 'root', NOON)
    expect(await why(capped({ key: 'turned', caps: ['root'], auth: 1, amount: 5001 }))).to.equal('capped')
    expect(await why(capped({ key: 'turned', caps: ['root'], auth: 1, amount: 5000 }))).to.equal('ok')
    await store.keys.revoke('acc', 'turned', NOON)
    expect(await caps(), 'the child spends on both').to.deep.equal(['child', 'root'])
    await store.keys.create(keyOf({ id: 'later', caps: ['root'] }))
    await store.keys.revoke('acc', 'later', NOON + 100)
    expect(await caps(), 'the child has expired').to.deep.equal(['child'])
    await store.keys.revoke('acc', 'child', NOON + 200)
    expect(await account()).to.deep.include({ caps: {}, capped: 0 })
    expect(await why(capped({ key: 'x', caps: ['root'], auth: 4 })), 'a cap that is gone lets nothing through').to.equal('capped')
  })

  it('of many keys made at once no more are left than an account may have; one that is rotated away counts no more', async () => {
    const patient = await bench.gateway({ timeouts: { selectMs: 8000, tripMs: 10_000, serverMs: 10_000 } })
    const make = (id: string, options: object = { most: 5 }) => patient.keys.create(keyOf({ id, credit_limit: 10 }), options)
    const made = await Promise.all(Array.from({ length: 12 }, (_, index) => make(`k${index}`)))
    const total = (await store.keys.list('acc', ALL_KEYS)).total
    expect(total).to.be.at.most(5)
    expect(made.filter(({ ok }) => ok)).to.have.length(total - 1)
    expect(made.filter((one) => !one.ok && one.why === 'too-many')).to.have.length(13 - total)
    for (let index = total; index < 5; index++) expect(await make(`more${index}`)).to.deep.equal({ ok: true })
    expect(await make('too')).to.deep.equal({ ok: false, why: 'too-many' })
    expect(await store.keys.get('acc', 'too')).to.equal(null)
    expect((await account())['caps']).not.to.have.property('too')
    expect(await make('turned', { most: 5, replaces: 'key_1' })).to.deep.equal({ ok: true })
    expect(await make('turned', { most: 5, replaces: 'key_1' }), 'again').to.deep.equal({ ok: true })
    expect(await make('too'), 'an overlap counts one').to.deep.equal({ ok: false, why: 'too-many' })
    expect((await store.keys.list('acc', ALL_KEYS)).total).to.equal(6)
    const first = (await store.keys.list('acc', { ...ALL_KEYS, limit: 2 })).keys
    const rest = (await store.keys.list('acc', { ...ALL_KEYS, limit: 9, offset: 2 })).keys
    const all = (await store.keys.list('acc', ALL_KEYS)).keys
    expect([...first, ...rest].map(({ id }) => id)).to.deep.equal(all.map(({ id }) => id))
  })

  it('another limit of open holds raises the epoch, because keys are cached with it', async () => {
    expect(await store.accounts.patch('acc', { max_open: 3 })).to.include({ max_open: 3, auth: 1 })
    expect(await store.accounts.patch('acc', { max_open: 3 })).to.include({ auth: 1 })
    expect(await why(capped({ capped: false }))).to.equal('stale-auth')
  })

  it('T-10 a revocation whose process died before the epoch rose is finished by the next one', async () => {
    const { store: dying, proxy } = await bench.proxied()
    proxy.arm({ matches: ({ name, collection }) => name === 'update' && collection === 'accounts', fault: 'cut-request' })
    const error: unknown = await dying.keys.revoke('acc', 'key_1', NOON).catch((thrown: unknown) => thrown)
    expect(error).to.include({ name: 'StoreUnavailable' })
    expect((await store.accounts.get('acc'))?.auth).to.equal(0)
    expect(await store.keys.revoke('acc', 'key_1', NOON + 5)).to.include({ revoked_at: NOON })
    expect((await store.accounts.get('acc'))?.auth).to.equal(1)
    await store.keys.revoke('acc', 'key_1', NOON + 9)
    expect((await store.accounts.get('acc'))?.auth).to.equal(1)
  })

  it('two keys never share an id or a hash', async () => {
    for (const change of [
      { id: 'key_1', hash: 'other' },
      { id: 'other', hash: 'hash of key_1' },
    ]) {
      const error: unknown = await store.keys.create(keyOf(change)).catch((thrown: unknown) => thrown)
      expect(error).to.be.instanceOf(RangeError)
    }
    expect((await store.keys.list('acc', ALL_KEYS)).total).to.equal(1)
  })

  it('room that a process took and never used comes back when somebody needs it, but not while others are reserving', async () => {
    const { store: dying, proxy } = await bench.proxied()
    proxy.arm({ matches: ({ name }) => name === 'insert', fault: 'cut-request' })
    await dying.artifacts
      .reserve(artifactOf({ size: 900 }), 1000)
      .catch((error: unknown) => expect(error).to.include({ name: 'StoreUnavailable' }))
    expect(await store.artifacts.used('acc')).to.equal(900)
    expect(await store.artifacts.reserve(artifactOf({ size: 200, created_at: NOON + 1000 }), 1000)).to.equal(false)
    expect(await store.artifacts.reserve(artifactOf({ size: 200, created_at: NOON + 120_000 }), 1000)).to.equal(true)
    expect(await store.artifacts.used('acc')).to.equal(200)
  })
})
