import { expect } from 'chai'
import type { Store } from '../../../core/store/types.js'
import { rawMongo } from '../../support/mongodb.js'
import { useMongo } from '../../support/mongodb-store.js'
import type { WireCommand } from '../../support/mongodb-wire.js'
import { eventually } from '../../support/replicas.js'
import { chargeOf, furnish, holdOf, NOON } from '../../support/store.js'

describe('answers, and what gateways leave, on MongoDB', () => {
  const bench = useMongo()
  /** The test server is slow with thousands of accounts. */
  const timeouts = { tripMs: 20_000, serverMs: 20_000 }
  let store: Store

  beforeEach(async () => {
    store = await bench.gateway({ timeouts })
    await furnish(store)
  })

  const sweep = (change: object = {}, by = store) =>
    by.ledger.sweep({ now: NOON, graceMs: 30_000, owner: 'gw1', deadOwners: [], ...change })
  const held = async (owner: string) => {
    const request = holdOf({ owner, amount: 10 })
    await store.ledger.hold(request)
    return request
  }
  const charged = async (owner: string, account = 'acc', by = store) => {
    const request = holdOf({ owner, account, amount: 10 })
    await by.ledger.hold(request)
    await by.ledger.charge(chargeOf(request.hold, 10, { owner, account }))
    return { account, ref: request.hold }
  }
  const gateway = async (id: string) => (await bench.documents('gateways')).find(({ _id }) => _id === id)
  const balance = async (account = 'acc') => (await store.ledger.balance(account))?.balance
  const accounts = async () => (await rawMongo(bench.uri)).collection<{ _id: string }>('accounts')

  it('L7 the charges of a dead gateway are given back whatever the number of accounts in use', async () => {
    const money = { bal: 0, held: 0, over: 0, avail: 0, seq: 0, ver: 0, done: 0, pseq: 0, auth: 0, open: 0 }
    const rest = { disabled: false, max_open: null, holds: {}, out: [], caps: {}, capped: 0, stored: 0, taken: 0 }
    const busy = Array.from({ length: 2100 }, (_, at) => ({
      _id: `busy${at}`,
      name: 'b',
      created_at: at,
      pub: at % 256,
      ...money,
      ...rest,
    }))
    await (await accounts()).insertMany(busy)
    await store.leases.renew('dead', NOON, 1)
    await charged('dead')
    const report = await sweep({ now: NOON + 10, deadOwners: await store.leases.dead(NOON + 10) })
    expect(report).to.include({ refunded: 1, leases: 1 })
    expect(await balance()).to.equal(10_000)
    expect(await bench.audit()).to.deep.equal([])
  }).timeout(60_000)

  it('L7 an account that cannot be published keeps its gateway from being ended, and harms no other', async () => {
    let monotonic = 0
    const clock = { now: () => Date.now(), monotonic: () => monotonic }
    const sweeper = await bench.gateway({ clock })
    await furnish(store, 1000, 'bad')
    await store.leases.renew('dead', NOON, 1)
    await charged('dead', 'bad')
    await charged('dead')
    const entries = (await rawMongo(bench.uri)).collection('entries')
    await entries.insertOne({ acct: 'bad', seq: 2, ref: 'foreign', kind: 'charge', amt: -1, after: 0, at: 0, own: 'gone', delivered: null })
    const again = { now: NOON + 10, deadOwners: ['dead'] }
    const first = await sweep(again, sweeper)
    expect(first).to.include({ refunded: 1, leases: 0 })
    expect(first.aside.map(({ account }) => account)).to.deep.equal(['bad'])
    expect([await balance(), await balance('bad')]).to.deep.equal([10_000, 990])
    expect(await store.leases.dead(NOON + 10)).to.deep.equal(['dead'])
    await entries.deleteOne({ ref: 'foreign' })
    monotonic += 60_000
    expect(await sweep(again, sweeper)).to.deep.include({ refunded: 1, leases: 1, aside: [] })
    expect(await balance('bad')).to.equal(1000)
    expect(await gateway('dead'))
      .to.include({ ended: true })
      .and.not.have.property('expires')
  })

  it('a mark does not wait for an account that cannot be published', async () => {
    await furnish(store, 1000, 'bad')
    const entries = (await rawMongo(bench.uri)).collection('entries')
    await entries.insertOne({ acct: 'bad', seq: 2, ref: 'foreign', kind: 'adjust', amt: 0 })
    const refs = [await charged('gw1', 'bad'), await charged('gw1')]
    await sweep()
    await store.ledger.delivered(refs)
    expect(await gateway('gw1')).to.deep.include({ upto: 2, open: [] })
  })

  it('a mark whose write comes late changes nothing: what it says is superseded', async () => {
    const { store: slow, proxy } = await bench.proxied()
    const [first, second] = [await charged('gw1', 'acc', slow), await charged('gw1', 'acc', slow)]
    const matches = ({ name, collection }: WireCommand) => name === 'update' && collection === 'gateways'
    const held = new Promise<() => void>((resolve) => proxy.arm({ matches, fault: resolve }))
    const lost: unknown = await slow.ledger.delivered([first]).catch((error: unknown) => error)
    expect(lost).to.include({ name: 'StoreUnavailable' })
    await slow.ledger.delivered([first, second])
    const after = await gateway('gw1')
    expect(after).to.deep.include({ upto: 2, open: [] })
    const deliver = await held
    deliver()
    await slow.ping()
    expect(await gateway('gw1')).to.deep.equal(after)
  })

  describe('L7 a gateway that was held up for longer than its lease, went on and died', () => {
    const LEASE_MS = 20_000
    const later = NOON + LEASE_MS + 10_000

    /** It charges after another one has given it up and ended it. */
    const charges = async (how: { delivered: boolean }) => {
      const other = await bench.gateway()
      await store.leases.renew('slow', NOON, LEASE_MS)
      const { hold } = await held('slow')
      expect(await sweep({ now: later, owner: 'gw2', deadOwners: await other.leases.dead(later) }, other)).to.include({ leases: 1 })
      expect(await other.leases.dead(later)).to.deep.equal([])
      await store.ledger.charge(chargeOf(hold, 10, { owner: 'slow', now: later }))
      if (how.delivered) await store.ledger.delivered([{ account: 'acc', ref: hold }])
      await other.ledger.publish?.({ instance: 'gw2', now: later })
      const dead = await other.leases.dead(Date.now())
      expect(dead).to.deep.equal(['slow'])
      return await sweep({ now: Date.now(), owner: 'gw2', deadOwners: dead }, other)
    }

    it('has its charge given back', async () => {
      expect(await charges({ delivered: false })).to.include({ refunded: 1, leases: 1 })
      expect(await balance()).to.equal(10_000)
      expect(await bench.audit(Date.now())).to.deep.equal([])
    })

    it('keeps what it delivered', async () => {
      expect(await charges({ delivered: true })).to.include({ refunded: 0, leases: 1 })
      expect(await balance()).to.equal(9990)
    })

    it('is not ended by a sweep that read before its charge was published', async () => {
      const { store: sweeper, proxy } = await bench.proxied()
      await store.leases.renew('slow', NOON, LEASE_MS)
      const { hold } = await held('slow')
      const matches = ({ name, collection }: WireCommand) => name === 'find' && collection === 'entries'
      const reached = new Promise<() => void>((resolve) => proxy.arm({ matches, fault: resolve }))
      const swept = sweep({ now: later, owner: 'gw2', deadOwners: ['slow'] }, sweeper)
      const goOn = await reached
      await store.ledger.charge(chargeOf(hold, 10, { owner: 'slow', now: later }))
      await (await bench.gateway()).ledger.publish?.({ instance: 'gw3', now: later })
      goOn()
      expect(await swept).to.include({ refunded: 0, leases: 0 })
      const dead = await sweeper.leases.dead(later)
      expect(await sweep({ now: later, owner: 'gw2', deadOwners: dead }, sweeper)).to.include({ refunded: 1, leases: 1 })
      expect(await balance()).to.equal(10_000)
    })
  })

  it('L7 a gateway that stops with an answer under way is not ended: a sweeper gives the charge back', async () => {
    const now = Date.now()
    await store.leases.renew('gw1', now, 60_000)
    const [sent, cut] = [await charged('gw1'), await charged('gw1')]
    await store.ledger.delivered([sent])
    expect(await store.leases.end('gw1')).to.equal(false)
    const later = Date.now() + 500
    const dead = await store.leases.dead(later)
    expect(dead).to.deep.equal(['gw1'])
    const other = await bench.gateway()
    expect(await other.ledger.sweep({ now: later, graceMs: 30_000, owner: 'gw2', deadOwners: dead })).to.include({ refunded: 1, leases: 1 })
    const refs = (await store.ledger.entries({ account: 'acc', limit: 9 })).map(({ ref }) => ref)
    expect(refs).to.include(`rf:${cut.ref}`).and.not.include(`rf:${sent.ref}`)
  })

  it('a gateway that stops with everything settled is ended, its entries published', async () => {
    await store.leases.renew('gw1', Date.now(), 60_000)
    const [sent, given] = [await charged('gw1'), await charged('gw1')]
    await store.ledger.delivered([sent])
    await store.ledger.refund({ account: 'acc', hold: given.ref, reason: 'client gone', owner: 'gw1', now: NOON })
    expect(await store.leases.end('gw1')).to.equal(true)
    expect(await gateway('gw1'))
      .to.include({ ended: true })
      .and.not.have.property('expires')
    expect(await store.leases.dead(Date.now() + 1e6)).to.deep.equal([])
    expect((await bench.documents('accounts'))[0]?.out).to.deep.equal([])
  })

  it('a lease that was renewed meanwhile is neither swept nor ended', async () => {
    await store.leases.renew('gw9', NOON, 1)
    await charged('gw9')
    const dead = await store.leases.dead(NOON + 10)
    expect(dead).to.deep.equal(['gw9'])
    await store.leases.renew('gw9', NOON + 10, 20_000)
    expect(await sweep({ now: NOON + 10, deadOwners: dead })).to.include({ refunded: 0, leases: 0 })
    expect(await store.leases.live(NOON + 10)).to.deep.equal(['gw9'])
  })

  it('N-12 two sweepers at the same moment do what one would', async () => {
    await store.leases.renew('dead', NOON, 1)
    for (let each = 0; each < 4; each++) await charged('dead')
    for (let each = 0; each < 3; each++) await store.ledger.hold(holdOf({ owner: 'dead', amount: 1, deadline: NOON + 1 }))
    const sweepers = [store, await bench.gateway()]
    const request = { now: NOON + 60_000, graceMs: 30_000, deadOwners: ['dead'] }
    const reports = await Promise.all(sweepers.map((by, at) => by.ledger.sweep({ ...request, owner: `sweeper ${at}` })))
    const sum = (field: 'released' | 'refunded' | 'leases') => reports.reduce((total, report) => total + report[field], 0)
    expect([sum('released'), sum('refunded'), sum('leases')]).to.deep.equal([3, 4, 1])
    expect(await store.ledger.balance('acc')).to.include({ balance: 10_000, held: 0, open: 0 })
    expect(await bench.audit()).to.deep.equal([])
  })

  it('a named lease is held by one instance until it runs out, and is no gateway', async () => {
    const { leases } = store
    expect(await leases.take('sweeper', 'a', NOON, 10_000)).to.equal(true)
    expect(await leases.take('sweeper', 'b', NOON + 9_999, 10_000)).to.equal(false)
    expect(await leases.take('sweeper', 'a', NOON + 9_999, 10_000)).to.equal(true)
    expect(await leases.take('sweeper', 'b', NOON + 19_999, 10_000)).to.equal(true)
    expect(await leases.take('sweeper', 'a', NOON + 20_000, 10_000)).to.equal(false)
    expect([await leases.live(NOON), await leases.dead(NOON + 1e6)]).to.deep.equal([[], []])
  })

  it('the epoch that a dead gateway still had to raise for a revoked key is raised by a sweep, once', async () => {
    await (
      await rawMongo(bench.uri)
    )
      .collection<{ _id: string }>('keys')
      .updateOne({ _id: 'key_1' }, { $set: { revoked_at: NOON, due: true } })
    await sweep()
    await sweep()
    expect((await store.accounts.get('acc'))?.auth).to.equal(1)
    expect((await bench.documents('keys'))[0]).not.to.have.property('due')
  })

  it('the deadlines of accounts are found by an index: 4000 accounts with open holds cost a sweep the same commands as 1000', async () => {
    const { store: watched, proxy } = await bench.proxied({ timeouts, clock: { now: () => Date.now(), monotonic: () => 0 } })
    const hold = { amt: 1, own: 'gw1', key: 'k', cap: null, at: NOON, capability: 'x', call: null }
    const money = { bal: 10, held: 1, over: 0, avail: 9, seq: 0, ver: 0, done: 0, pseq: 0, auth: 0, open: 1 }
    const rest = { disabled: false, max_open: null, out: [], caps: {}, capped: 0, stored: 0, taken: 0 }
    const fill = async (from: number, count: number) => {
      const many = Array.from({ length: count }, (_, index) => {
        const [id, dl] = [`a${from + index}`, NOON + 1e6 + index]
        return { _id: id, name: 'b', created_at: NOON - index, dl, ...money, ...rest, holds: { [`h${id}`]: { ...hold, dl } } }
      })
      for (let at = 0; at < count; at += 500) await (await accounts()).insertMany(many.slice(at, at + 500))
      const due = holdOf({ amount: 1, deadline: NOON + 1 })
      await watched.ledger.hold(due)
    }
    const cost = async () => {
      const commands = await proxy.watch(async () => {
        expect(await sweep({ now: NOON + 40_000 }, watched)).to.include({ released: 1 })
      })
      return commands.length
    }
    await fill(0, 1000)
    await sweep({}, watched)
    const small = await cost()
    await fill(1000, 3000)
    expect(await cost()).to.equal(small)
    expect(small).to.be.below(20)
    await eventually(async () => (await watched.ledger.balance('acc'))?.open === 0, 'no open hold')
  }).timeout(120_000)
})
