import { expect } from 'chai'
import type { Store } from '../../../core/store/port.js'
import { rawMongo } from '../../support/mongodb.js'
import { useMongo } from '../../support/mongodb-store.js'
import { ALL_KEYS, artifactOf, chargeOf, DAY, fresh, furnish, holdOf, keyOf, NOON, releaseOf } from '../../support/store.js'

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
