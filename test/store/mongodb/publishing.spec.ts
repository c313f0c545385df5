import { expect } from 'chai'
import type { Store } from '../../../core/store/types.js'
import { SlotOwners } from '../../../core/store/mongodb/gateways.js'
import { eventually } from '../../support/replicas.js'
import { rawMongo } from '../../support/mongodb.js'
import { isWork } from '../../support/mongodb-proxy.js'
import { useMongo } from '../../support/mongodb-store.js'
import type { WireCommand } from '../../support/mongodb-wire.js'
import { chargeOf, DAY, facts, furnish, holdOf, NOON, releaseOf } from '../../support/store.js'

describe('publishing entries on MongoDB', () => {
  const bench = useMongo()
  let store: Store

  beforeEach(async () => {
    store = await bench.gateway()
    await furnish(store, 1_000_000)
  })

  const call = async (by = store, amount = 10, at = NOON) => {
    const request = holdOf({ now: at, deadline: at + 60_000 })
    await by.ledger.hold(request)
    await by.ledger.charge(chargeOf(request.hold, amount, { now: at }))
    return { account: 'acc', ref: request.hold }
  }
  const calls = async (count: number, by = store) => {
    const made = []
    for (let each = 0; each < count; each++) made.push(await call(by))
    return made
  }
  const unpublished = async () => ((await bench.documents('accounts'))[0]?.out as unknown[]).length
  const publish = async (by = store, instance = 'gw1') => await by.ledger.publish?.({ instance, now: NOON })
  const usage = async () =>
    (await store.history.usage({ account: 'acc', sinceDay: '2026-01-01' })).map(({ calls, credits }) => ({ calls, credits }))

  it('L4 L10 two gateways that publish one account at once, while calls go on, make each entry once and count it once', async () => {
    const other = await bench.gateway()
    const work = async (by: Store) => {
      for (let round = 0; round < 12; round++) {
        await by.ledger.delivered([await call(by), await call(by)])
        await publish(by)
      }
    }
    await Promise.all([work(store), work(other), work(store)])
    // A publish that is requested while a round is under way is that round, which may not have seen the last calls.
    await publish()
    expect(await usage()).to.deep.equal([{ calls: 72, credits: 720 }])
    const entries = await store.ledger.entries({ account: 'acc', limit: 1000 })
    expect(entries.map(({ seq }) => seq)).to.deep.equal(Array.from({ length: 73 }, (_, index) => index + 1))
    expect((await store.keys.get('acc', 'key_1'))?.credits_used).to.equal(720)
    expect(await unpublished()).to.equal(0)
    expect(await bench.audit()).to.deep.equal([])
  })

  it('a publisher that dies after any of its commands leaves nothing that the next one does not put right', async () => {
    for (let step = 0; step < 6; step++) {
      for (const fault of ['cut-request', 'cut-reply'] as const) {
        const { store: dying, proxy } = await bench.proxied()
        const refs = await calls(3)
        const disarm = proxy.arm({ matches: isWork, skip: step, times: 1, fault })
        const outcome = await publish(dying).then(
          () => 'done',
          () => 'died',
        )
        expect(disarm(), `step ${step}`).to.equal(1)
        expect(outcome, `step ${step} ${fault}`).to.equal('died')
        const more = await calls(2)
        expect((await usage())[0]?.calls, 'what is half published counts once').to.equal(
          more.length + refs.length + (step * 2 + (fault === 'cut-reply' ? 1 : 0)) * 5,
        )
        await publish()
        expect(await bench.audit(), `step ${step} ${fault}`).to.deep.equal([])
      }
    }
    expect(await usage()).to.deep.equal([{ calls: 60, credits: 600 }])
    expect((await store.keys.get('acc', 'key_1'))?.credits_used).to.equal(600)
    expect(await unpublished()).to.equal(0)
  }).timeout(30_000)

  it('a slow publisher with an old snapshot counts nothing twice', async () => {
    const { store: slow, proxy } = await bench.proxied()
    await calls(4)
    const matches = ({ name, collection }: WireCommand) => name === 'find' && collection === 'accounts'
    const snapshot = new Promise<() => void>((resolve) => proxy.arm({ matches, fault: resolve }))
    const old = publish(slow, 'gw2')
    const deliver = await snapshot
    await calls(3)
    await publish()
    await calls(2)
    deliver()
    await old
    expect(await usage()).to.deep.equal([{ calls: 9, credits: 90 }])
    expect(await bench.audit()).to.deep.equal([])
  })

  it('counts entries in their own days, also when the clocks of two gateways put them out of order around midnight', async () => {
    const midnight = Math.ceil(NOON / DAY) * DAY
    for (const at of [midnight - 1, midnight, midnight - 1, midnight + 1]) await call(store, 10, at)
    const first = await store.history.usage({ account: 'acc', sinceDay: '2026-01-01' })
    await store.ledger.sweep({ now: midnight + 5000, graceMs: 30_000, owner: 'gw2', deadOwners: [] })
    expect(await unpublished()).to.equal(0)
    const second = await store.history.usage({ account: 'acc', sinceDay: '2026-01-01' })
    expect(second).to.deep.equal(first)
    expect(second.map(({ day, calls }) => [day, calls])).to.deep.equal([
      ['2026-01-31', 2],
      ['2026-02-01', 2],
    ])
  })

  it('64 unpublished entries are published behind the answer, once, by the gateway that the account belongs to', async () => {
    const { store: busy, proxy } = await bench.proxied()
    await busy.leases.renew('gw1', Date.now(), 60_000)
    await publish(busy)
    await calls(62, busy)
    expect(await unpublished()).to.equal(62)
    const commands = await proxy.watch(async () => {
      await calls(2, busy)
      await eventually(async () => (await unpublished()) === 0, 'an empty list')
    })
    expect(commands.filter(({ name, collection }) => name === 'insert' && collection === 'entries')).to.have.length(1)
    expect(await usage()).to.deep.equal([{ calls: 64, credits: 640 }])
  }).timeout(20_000)

  it('leaves the accounts of other living gateways to them, until 256 entries wait', async () => {
    const owner = await bench.gateway()
    const [mine, other] = ['gateway a', 'gateway b'].sort((one) => (new SlotOwners(['gateway a', 'gateway b']).has(one, 'acc') ? -1 : 1))
    for (const instance of [mine, other]) await store.leases.renew(String(instance), Date.now(), 60_000)
    await calls(2)
    await publish(store, other)
    expect(await unpublished()).to.equal(3)
    await publish(owner, mine)
    expect(await unpublished()).to.equal(0)
    expect((await bench.documents('accounts'))[0])
      .to.include({ done: 3 })
      .and.not.have.property('pub')
  })

  it('F-08 an account whose entries cannot be published holds no more at 512 of them, and its open calls still end', async () => {
    const open = holdOf({ amount: 5 })
    await store.ledger.hold(open)
    const db = await rawMongo(bench.uri)
    const filler = Array.from({ length: 511 }, (_, index) => ({
      ref: `f${index}`,
      kind: 'adjust',
      amt: 0,
      at: NOON,
      own: 'cli',
      note: null,
      key: null,
      cap: null,
      facts: null,
    }))
    await db.collection<{ _id: string }>('accounts').updateOne({ _id: 'acc' }, { $push: { out: { $each: filler } }, $inc: { seq: 511 } })
    const { store: stuck, proxy } = await bench.proxied()
    proxy.arm({ matches: ({ name, collection }) => name === 'insert' && collection === 'entries', times: 1000, fault: 'cut-request' })
    const error: unknown = await stuck.ledger.hold(holdOf()).catch((thrown: unknown) => thrown)
    expect(error).to.include({ name: 'StoreUnavailable' })
    expect(await stuck.ledger.charge(chargeOf(open.hold, 5))).to.include({ ok: true })
    expect(await store.ledger.hold(holdOf())).to.include({ ok: true })
    expect(await unpublished()).to.equal(0)
    expect(await bench.audit()).to.deep.equal([])
  })

  it('shows an account its own call at once on every gateway, published or not, and no call twice', async () => {
    const other = await bench.gateway()
    const made = [...(await calls(3)), ...(await calls(2, other))].map(({ ref }) => ref).toReversed()
    const seen = async () => (await other.history.calls({ account: 'acc', limit: 3, offset: 1 })).rows.map((row) => row.id)
    expect(await seen()).to.deep.equal(made.slice(1, 4))
    await publish()
    expect(await seen()).to.deep.equal(made.slice(1, 4))
    const more = (await calls(2)).map(({ ref }) => ref).toReversed()
    expect(await seen()).to.deep.equal([more[1], ...made.slice(0, 2)])
    expect((await other.history.calls({ account: 'acc', limit: 1, offset: 9 })).total).to.equal(7)
  })

  it('an entry whose number is taken by another is never lost in silence', async () => {
    const { ref } = await call()
    const db = await rawMongo(bench.uri)
    await db.collection('entries').insertOne({ acct: 'acc', seq: 2, ref: 'foreign', kind: 'adjust', amt: 0 })
    await furnish(store, 5, 'healthy')
    const log: string[] = []
    let monotonic = 0
    const clock = { now: () => Date.now(), monotonic: () => monotonic }
    const sweeper = await bench.gateway({
      clock,
      log: (event, message, fields) => void log.push(`${event}: ${message} ${String(fields?.['account'])}`),
    })
    const sweep = () => sweeper.ledger.sweep({ now: NOON + 5000, graceMs: 30_000, owner: 'gw2', deadOwners: [] })
    const { aside } = await sweep()
    expect(aside.map(({ account }) => account)).to.deep.equal(['acc'])
    expect(aside[0]?.error).to.include(`entry 2 of account acc (charge ${ref})`)
    expect(log).to.deep.equal(['account-set-aside: the entries of an account cannot be published acc'])
    const refused: unknown = await sweeper.ledger.hold(holdOf()).catch((error: unknown) => error)
    expect(refused, 'this account alone').to.include({ name: 'StoreUnavailable', sent: false })
    expect(await sweeper.ledger.hold(holdOf({ account: 'healthy', amount: 1 }))).to.include({ ok: true })
    const out = (await bench.documents('accounts')).map(({ _id, out }) => [_id, (out as unknown[]).length])
    expect(out, 'the others are published').to.have.deep.members([
      ['acc', 2],
      ['healthy', 0],
    ])
    await db.collection('entries').deleteOne({ ref: 'foreign' })
    monotonic += 60_000
    expect((await sweep()).aside, 'a minute later it is tried again').to.deep.equal([])
    expect(await sweeper.ledger.hold(holdOf())).to.include({ ok: true })
    expect(await bench.audit()).to.deep.equal([])
  })

  it('a refund closes its charge for the mark of delivery, whichever of them is published first', async () => {
    const [early, late] = [await call(), await call()]
    const refund = (hold: string) => store.ledger.refund({ account: 'acc', hold, reason: 'client gone', owner: 'gw1', now: NOON })
    await refund(early.ref)
    await store.ledger.sweep({ now: NOON + 5000, graceMs: 30_000, owner: 'gw2', deadOwners: [] })
    await refund(late.ref)
    await store.ledger.delivered([early, late, await call()])
    const gateways = await bench.documents('gateways')
    expect(gateways.map(({ _id, upto, open }) => ({ _id, upto, open }))).to.deep.equal([{ _id: 'gw1', upto: 3, open: [] }])
    const entries = await store.ledger.entries({ account: 'acc', limit: 9 })
    expect(entries.filter(({ kind }) => kind === 'charge').map(({ delivered }) => delivered)).to.deep.equal([null, null, true])
    const sweep = { now: NOON, graceMs: 30_000, owner: 'gw2', deadOwners: 'all-but-owner' } as const
    expect(await store.ledger.sweep(sweep)).to.include({ refunded: 0 })
  })

  it('facts of a lost call, of a release and of a capability with dots and dollars in its name are counted under their own names', async () => {
    const odd = { endpoint: '/v1/a b.c%20$d', capability: 'x.$y z%' }
    const request = holdOf()
    await store.ledger.hold(request)
    await store.ledger.release(releaseOf(request.hold, { facts: facts({ ...odd, error: 'transient' }) }))
    const read = async () => await store.history.usage({ account: 'acc', sinceDay: '2026-01-01' })
    const expected = [{ day: '2026-01-31', ...odd, calls: 1, errors: 1, credits: 0 }]
    expect(await read()).to.deep.equal(expected)
    await store.ledger.sweep({ now: NOON + 5000, graceMs: 30_000, owner: 'gw2', deadOwners: [] })
    expect(await unpublished()).to.equal(0)
    expect(await read()).to.deep.equal(expected)
    expect((await store.history.calls({ account: 'acc', endpoint: odd.endpoint, limit: 5, offset: 0 })).total).to.equal(1)
  })
})
