import { DatabaseSync } from '@photostructure/sqlite'
import { expect } from 'chai'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import sinon from 'sinon'
import { auditMongo } from '../../../scripts/capstan/audit/mongodb.js'
import { openMongoStore } from '../../../core/store/mongodb/store.js'
import { openSqliteStore } from '../../../core/store/sqlite/store.js'
import type { Store } from '../../../core/store/types.js'
import { moveStore, type MoveOrder } from '../../../scripts/capstan/move/move.js'
import { MoveTarget } from '../../../scripts/capstan/move/target.js'
import { fillLedger } from '../../support/ledger-sample.js'
import { needsMongo, rawMongo, temporaryMongo, type TemporaryMongo } from '../../support/mongodb.js'
import { MongoProxy } from '../../support/mongodb-proxy.js'
import {
  ALL_KEYS,
  answer,
  chargeOf,
  claimOf,
  DAY,
  furnish,
  holdOf,
  keyOf,
  NOON,
  releaseOf,
  TemporaryFolder,
  facts,
} from '../../support/store.js'

/** A ledger at rest: everything that a gateway leaves when it was stopped. */
async function fill(store: Store): Promise<void> {
  await fillLedger(store)
  for (const hold of ['open', 'open capped']) await store.ledger.release(releaseOf(hold))
  const refs = (await store.ledger.entries({ limit: 1000 }))
    .filter(({ kind }) => kind === 'charge')
    .map(({ account, ref }) => ({ account, ref }))
  await store.ledger.delivered(refs.filter(({ ref }) => ref !== 'kept'))
  await store.ledger.setOverage({ account: 'other', limit: 5000, ref: 'o1', owner: 'cli', now: NOON })
  await store.keys.create(keyOf({ id: 'key_2', account: 'other', scopes: ['search.web', 'pages.*'], allowed_ips: ['10.0.0.0/8'] }))
  await store.keys.revoke('other', 'key_2', NOON)
  await store.keys.touch([{ id: 'key_1', at: NOON + 5 }])
  await store.accounts.patch('other', { disabled: true, max_open: 7, name: 'Ada Example' })
  const refused = { account: 'acc', day: '2026-01-31', endpoint: '/v1/search', capability: 'search.web', count: 9 }
  await store.history.refused([
    { ...refused, instance: 'gw1', status: 402 },
    { ...refused, instance: 'gw2', status: 402 },
    { ...refused, instance: 'gw2', status: 429 },
  ])
  await store.idempotency.claim(claimOf({ key: 'running', hold: 'h_running' }))
  await store.settings.put('waterfall.search', '["a.b","$c"]')
  await store.settings.put('link-secret', 'x')
  await store.settings.audit({ at: NOON, actor: 'cli', action: 'account.create', target: 'acc', detail: { name: 'First Last' } })
  await store.settings.audit({ at: NOON, actor: 'cli', action: 'second', target: 'acc', detail: {} })
}

/** Commands that the driver never repeats by itself. */
const WRITES: ReadonlySet<string> = new Set(['insert', 'update', 'delete', 'createIndexes'])

/** Everything that the port answers about a ledger. */
async function all({ accounts, keys, ledger, history, settings, artifacts, idempotency }: Store) {
  const kept = await idempotency.claim(claimOf({ now: NOON + 1 }))
  return {
    accounts: await accounts.list({ limit: 10, offset: 0 }),
    balances: [await ledger.balance('acc'), await ledger.balance('other')],
    keys: [await keys.list('acc', ALL_KEYS), await keys.list('other', ALL_KEYS), await keys.get('other', 'key_2')],
    entries: await ledger.entries({ limit: 1000 }),
    calls: await history.calls({ account: 'acc', limit: 100, offset: 0 }),
    usage: await history.usage({ sinceDay: '2026-01-01' }),
    settings: await settings.list(''),
    version: await settings.version(),
    audit: await settings.auditLog({ limit: 10, offset: 0 }),
    files: [await artifacts.expired(NOON + 2 * DAY, 10), await artifacts.used('acc'), await artifacts.used('other')],
    kept: kept.state === 'kept' ? { ...kept, response: { ...kept.response, body: [...kept.response.body] } } : kept,
    running: await idempotency.claim(claimOf({ key: 'running', now: NOON + 1 })),
  }
}

describe('move of a ledger from SQLite to MongoDB', function () {
  this.timeout(20_000)
  let folder: TemporaryFolder
  let temporary: TemporaryMongo
  let said: string[]
  const move = (change: Partial<MoveOrder> = {}) =>
    moveStore({ from: folder.file(), to: temporary.uri, dryRun: false, now: NOON, say: (text) => said.push(text), ...change })
  const refusal = async (change: Partial<MoveOrder> = {}) => {
    const error: unknown = await move(change).catch((thrown: unknown) => thrown)
    expect(error).to.include({ name: 'MoveRefused' })
    return error instanceof Error ? error.message : ''
  }
  const source = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
    const store = await openSqliteStore({ file: folder.file(), thread: 'same' })
    try {
      return await work(store)
    } finally {
      await store.close()
    }
  }
  const target = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
    const store = await openMongoStore({ uri: temporary.uri })
    try {
      return await work(store)
    } finally {
      await store.close()
    }
  }
  const documents = async () => {
    const collections = await (await rawMongo(temporary.uri)).collections()
    const counts = await Promise.all(
      collections.map(async (one): Promise<[string, number]> => [one.collectionName, await one.countDocuments()]),
    )
    return Object.fromEntries(counts.filter(([, count]) => count > 0))
  }

  before(async function () {
    await needsMongo(this)
  })
  beforeEach(async () => {
    said = []
    folder = new TemporaryFolder()
    temporary = await temporaryMongo()
    await source(fill)
  })
  afterEach(async () => {
    await temporary.drop()
    folder.remove()
  })

  it('everything that the port answers is the same on both sides, and the source is not changed', async () => {
    const before = createHash('sha256').update(readFileSync(folder.file())).digest('hex')
    const { moved, lines, digest } = await move()
    expect(createHash('sha256').update(readFileSync(folder.file())).digest('hex')).to.equal(before)
    expect(moved).to.equal(true)
    expect(lines.filter(({ from, to }) => from !== to)).to.deep.equal([])
    expect(Object.fromEntries(lines.map(({ what, to }) => [what, to]))).to.include({
      accounts: 2,
      entries: 16,
      keys: 4,
      'audit entries': 2,
      'counts of refused calls': 2,
    })
    expect(digest).to.match(/^[0-9a-f]{64}$/)
    expect(await target(all)).to.deep.equal(await source(all))
    expect((await auditMongo({ uri: temporary.uri, now: NOON })).problems).to.deep.equal([])
  })

  it('what was trimmed stays trimmed, and the rest is trimmed there later', async () => {
    const tomorrow = NOON + 13 * 3_600_000
    const young = holdOf({ now: tomorrow, deadline: tomorrow + 60_000 })
    await source(async ({ ledger }) => {
      await ledger.hold(young)
      await ledger.charge(chargeOf(young.hold, 10, { now: tomorrow }))
      await ledger.delivered([{ account: 'acc', ref: young.hold }])
      expect(await ledger.trim({ before: NOON + 1 })).to.equal(13)
    })
    await move({ now: tomorrow })
    expect(await target(all)).to.deep.equal(await source(all))
    const calls = () => target(({ history }) => history.calls({ account: 'acc', limit: 9, offset: 0 }))
    expect(await calls())
      .to.deep.include({ total: 1 })
      .and.nested.include({ 'rows[0].id': young.hold })
    expect(await target(({ ledger }) => ledger.trim({ before: tomorrow + 1 }))).to.equal(1)
    expect(await calls()).to.deep.equal({ rows: [], total: 0 })
    expect((await auditMongo({ uri: temporary.uri, now: tomorrow + 1 })).problems).to.deep.equal([])
  })

  it('work goes on where it stopped: numbers, caps, rollups and replays', async () => {
    await move()
    await target(async (store) => {
      const { ledger } = store
      const spend = (change: object, amount: number) => ledger.hold(holdOf({ key: 'capped', capped: true, amount, ...change }))
      expect(await spend({}, 19_501)).to.deep.equal({ ok: false, why: 'capped' })
      const last = holdOf({ key: 'capped', capped: true, amount: 19_500 })
      expect(await ledger.hold(last)).to.include({ ok: true })
      expect(await ledger.charge(chargeOf(last.hold, 19_500))).to.include({ ok: true, seq: 15 })
      expect(await spend({ now: NOON + DAY, deadline: NOON + 2 * DAY }, 20_000)).to.include({ ok: true })
      expect(await ledger.refund({ account: 'acc', hold: 'kept', reason: 'late', owner: 'cli', now: NOON })).to.include({ applied: true })
      expect(
        await ledger.post({
          ...{ account: 'acc', ref: 'grant acc', kind: 'grant', amount: 100_000 },
          ...{ note: null, facts: null, owner: 'cli', now: NOON },
        }),
      ).to.include({ applied: false })
      await ledger.delivered([{ account: 'acc', ref: last.hold }])
      expect((await auditMongo({ uri: temporary.uri, now: NOON })).problems).to.deep.equal([])
    })
  })

  it('a family of keys goes on spending on the caps it had', async () => {
    const family = { account: 'acc', key: 'child', capped: true, caps: ['child', 'parent'] }
    const held = holdOf({ ...family, amount: 3_000 })
    await source(async ({ keys, ledger }) => {
      await keys.create(keyOf({ id: 'parent', credit_limit: 5_000 }))
      await keys.create(keyOf({ id: 'child', credit_limit: 4_000, caps: ['child', 'parent'] }))
      await keys.create(keyOf({ id: 'rotated', credit_limit: 5_000, caps: ['parent'] }), { replaces: 'parent' })
      await ledger.hold(held)
      await ledger.charge(chargeOf(held.hold, 3_000, { facts: facts({ key_id: 'child' }), delivery: 'none' }))
    })
    await move()
    await target(async ({ keys, ledger }) => {
      expect((await keys.get('acc', 'child'))?.caps).to.deep.equal(['child', 'parent'])
      const spend = (key: string, caps: string[], amount: number) =>
        ledger.hold(holdOf({ account: 'acc', key, capped: true, caps, amount }))
      expect(await spend('rotated', ['parent'], 2_001)).to.deep.equal({ ok: false, why: 'capped' })
      expect(await spend('child', ['child', 'parent'], 1_001)).to.deep.equal({ ok: false, why: 'capped' })
      await ledger.refund({ account: 'acc', hold: held.hold, reason: 'late', owner: 'cli', now: NOON })
      expect(await spend('rotated', ['parent'], 5_000)).to.include({ ok: true })
    })
    expect((await auditMongo({ uri: temporary.uri, now: NOON })).problems).to.deep.equal([])
  })

  it('the charge of a kept answer remains when the answer expires, as it would have', async () => {
    const later = { now: NOON + DAY, graceMs: 0, owner: 'gw9', deadOwners: 'all-but-owner' } as const
    await move()
    expect(await target((store) => store.ledger.sweep(later))).to.include({ refunded: 0, released: 0, idempotency: 2 })
    expect(await source((store) => store.ledger.sweep(later))).to.include({ refunded: 0, released: 0, idempotency: 2 })
  })

  it('a dry run checks both sides and writes nothing', async () => {
    const { moved, lines, digest } = await move({ dryRun: true })
    expect({ moved, digest }).to.deep.equal({ moved: false, digest: null })
    expect(lines.find(({ what }) => what === 'entries')).to.deep.equal({ what: 'entries', from: 16, to: null })
    expect(await (await rawMongo(temporary.uri)).collections()).to.deep.equal([])
  })

  it('is refused while calls hold credits or wait for delivery, and says how to settle them', async () => {
    await source((store) => store.ledger.hold(holdOf({ hold: 'running' })))
    expect(await refusal()).to.match(/left 1 holds open and 0 answers undelivered: start it once/)
    await source((store) => store.ledger.charge(chargeOf('running')))
    expect(await refusal()).to.match(/left 0 holds open and 1 answers undelivered/)
    await source((store) => store.ledger.sweep({ now: NOON, graceMs: 0, owner: 'gw9', deadOwners: 'all-but-owner' }))
    expect((await move()).moved).to.equal(true)
  })

  it('is refused while a gateway has its lease, and keeps other writers out while it runs', async () => {
    await source((store) => store.leases.renew('gw1', NOON, 20_000))
    expect(await refusal()).to.match(/a gateway has a lease on the ledger: stop it/)
    let meanwhile: Promise<unknown> = Promise.resolve()
    const late = async () => await source((store) => furnish(store, 5, 'late')).catch((thrown: unknown) => thrown)
    const say = (text: string) => {
      if (text === 'copying') meanwhile = late()
    }
    await move({ now: NOON + 20_000, say })
    expect(await meanwhile).to.include({ name: 'StoreUnavailable' })
  })

  it('is refused when the source is not in order, not there, or none of ours', async () => {
    const db = new DatabaseSync(folder.file())
    db.exec(`update accounts set bal = bal + 1 where id = 'acc'`)
    db.close()
    expect(await refusal()).to.match(/not in order.*\nL3 account acc/)
    expect(await refusal({ from: folder.file('none.db') })).to.match(/there is no ledger at .*none\.db/)
    const other = new DatabaseSync(folder.file('other.db'))
    other.exec('create table t (a)')
    other.close()
    expect(await refusal({ from: folder.file('other.db') })).to.match(/other\.db is not a ledger of capstan/)
  })

  it('never merges: a target with anything in it is refused, and so is a second move', async () => {
    await target((store) => furnish(store, 1))
    expect(await refusal()).to.match(/is not empty \(accounts, .*\): use a database that does not exist yet/)
    await temporary.drop()
    await move()
    expect(await refusal()).to.match(/has a ledger that was moved there from .* on 2026-01-31T12:00:00.000Z/)
  })

  it('F-05 undoes everything when the server fails under it, at any step, and can be given again', async () => {
    const proxy = await MongoProxy.before(temporary.uri)
    try {
      const seen = await proxy.watch(() => move({ to: proxy.uri(temporary.uri) }))
      await temporary.drop()
      const writes = seen.filter(({ name }) => WRITES.has(name)).length
      for (let skip = 0; skip < writes; skip++) {
        const disarm = proxy.arm({ matches: ({ name }) => WRITES.has(name), fault: skip % 2 === 0 ? 'cut-reply' : 'cut-request', skip })
        const outcome: unknown = await move({ to: proxy.uri(temporary.uri) }).catch((thrown: unknown) => thrown)
        expect(disarm()).to.equal(1)
        expect(outcome)
          .to.be.instanceOf(Error)
          .with.property('message')
          .that.matches(/the move failed and was undone, the source is unchanged/)
        expect(await documents()).to.deep.equal({})
      }
      expect(writes).to.be.greaterThan(15)
    } finally {
      await proxy.close()
    }
    expect((await move()).moved).to.equal(true)
  })

  it('begins anew after a move that was killed, unless a gateway was started on what it left', async () => {
    await move()
    const db = await rawMongo(temporary.uri)
    await db.collection('moves').updateMany({}, { $set: { state: 'running' } })
    await db.collection('entries').deleteMany({ acct: 'acc' })
    expect((await move()).moved).to.equal(true)
    expect(said).to.include('deleting the remains of an unfinished move')
    await db.collection('moves').updateMany({}, { $set: { state: 'running' } })
    await db.collection<{ _id: string; expires: number }>('gateways').insertOne({ _id: 'gw1', expires: 1 })
    expect(await refusal()).to.match(/is not empty/)
  })

  it('finds a target that is not what was written', async () => {
    const db = await rawMongo(temporary.uri)
    const counting = sinon.stub(MoveTarget.prototype, 'count').callsFake(async (name) => {
      await db.collection('entries').updateOne({ seq: 3 }, { $set: { note: 'other' } })
      return await db.collection(name).countDocuments()
    })
    try {
      expect(await refusal()).to.match(/the move failed and was undone, .*: the entries of the target differ from those of the source/)
    } finally {
      counting.restore()
    }
    expect(await documents()).to.deep.equal({})
  })

  it('keeps answers and facts byte for byte', async () => {
    const body = Uint8Array.from({ length: 1000 }, (_, index) => index % 256)
    await source(async (store) => {
      await store.idempotency.claim(claimOf({ key: 'bytes', hold: 'b1' }))
      await store.idempotency.keep({
        ...{ account: 'acc', key: 'bytes', attempt: 1, hold: 'b1' },
        response: answer({ body, amount: 0 }),
        now: NOON,
      })
    })
    await move()
    const found = await target((store) => store.idempotency.claim(claimOf({ key: 'bytes', now: NOON + 1 })))
    expect(found.state === 'kept' ? [...found.response.body] : found).to.deep.equal([...body])
  })
})
