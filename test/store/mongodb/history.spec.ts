import { expect } from 'chai'
import type { Facts, Store } from '../../../core/store/types.js'
import { rawMongo } from '../../support/mongodb.js'
import { useMongo } from '../../support/mongodb-store.js'
import { chargeOf, DAY, facts, furnish, holdOf, NOON, releaseOf } from '../../support/store.js'

const CALLS = 2400
const ENDPOINTS = [
  { endpoint: '/v1/search', capability: 'search.web' },
  { endpoint: '/v1/scrape', capability: 'pages.scrape' },
  { endpoint: '/v1/other', capability: 'search.web' },
]

describe('call history on MongoDB, published', () => {
  const bench = useMongo()
  let store: Store

  beforeEach(async () => {
    store = await bench.gateway({ timeouts: { tripMs: 10_000, serverMs: 10_000 } })
    await furnish(store, 1_000_000)
  })

  const call = async (change: Partial<Facts> = {}, at = NOON) => {
    const request = holdOf({ now: at, deadline: at + 60_000 })
    await store.ledger.hold(request)
    await store.ledger.charge(chargeOf(request.hold, 10, { now: at, facts: facts(change) }))
    return request.hold
  }
  const publish = () => store.ledger.delivered([{ account: 'acc', ref: 'none' }])
  const ids = async (filter: object) => {
    const { rows, total } = await store.history.calls({ account: 'acc', limit: 5, offset: 0, ...filter })
    return { ids: rows.map((row) => row.id), total }
  }

  /** Writes calls 2 to CALLS + 1 as they are when published. */
  const fill = async () => {
    const db = await rawMongo(bench.uri)
    const made = Array.from({ length: CALLS }, (_, index) => {
      const seq = index + 2
      return { seq, ref: `c${seq}`, at: NOON + seq, details: facts(ENDPOINTS[seq % 3]) }
    })
    const line = { acct: 'acc', kind: 'charge', amt: 0, after: 1_000_000, own: 'gw1', note: null, key: 'key_1', cap: null, delivered: true }
    await publish()
    await db.collection('entries').insertMany(
      made.map(({ seq, ref, at, details: { endpoint, capability } }) => ({
        ...{ ...line, seq, ref, at },
        call: { endpoint, capability, failed: false, digest: 'not read' },
      })),
    )
    await db.collection<{ _id: string }>('details').insertMany(
      made.map(({ seq, ref, at, details }) => ({
        ...{ _id: `acc ${String(seq).padStart(16, '0')}`, acct: 'acc', seq, ref, amt: 0, at, facts: details },
      })),
    )
    const count = (n: number) => ({ calls: made.filter(({ seq }) => seq % 3 === n).length, errors: 0, credits: 0 })
    const rows = { '/v1/search search%2eweb': count(0), '/v1/scrape pages%2escrape': count(1), '/v1/other search%2eweb': count(2) }
    const day = Math.floor(NOON / DAY)
    await db
      .collection<{ _id: string }>('usage_daily')
      .insertOne({ ...{ _id: JSON.stringify(['acc', day]), acct: 'acc', day, applied: CALLS + 1, rows } })
    await db.collection<{ _id: string }>('accounts').updateOne({ _id: 'acc' }, { $inc: { seq: CALLS } })
    return made.map(({ ref, details, at }) => ({ ref, details, at })).toReversed()
  }

  it('each page at any offset is the same cut of the same list', async () => {
    const all = await fill()
    const scrape = all.filter(({ details }) => details.capability === 'pages.scrape')
    const since = NOON + 700
    const recent = all.filter(({ at }) => at >= since)
    for (const offset of [0, 999, 1004, 1009, 2000, 1206, 2394, 2400])
      expect(await ids({ offset }), `offset ${offset}`).to.deep.equal({
        ids: all.slice(offset, offset + 5).map(({ ref }) => ref),
        total: CALLS,
      })
    for (const offset of [700, 799])
      expect((await ids({ offset, capabilities: ['pages.scrape'] })).ids).to.deep.equal(
        scrape.slice(offset, offset + 5).map(({ ref }) => ref),
      )
    for (const offset of [0, 1005])
      expect(await ids({ offset, since })).to.deep.equal({
        ids: recent.slice(offset, offset + 5).map(({ ref }) => ref),
        total: recent.length,
      })
  }).timeout(120_000)

  it('a client that pages on is found its place by number, also when calls were made meanwhile; a jump elsewhere is counted', async () => {
    const all = (await fill()).map(({ ref }) => ref)
    const { store: other, proxy } = await bench.proxied({ timeouts: { tripMs: 10_000, serverMs: 10_000 } })
    const read = async (offset: number) => {
      let rows: string[] = []
      const sent = await proxy.watch(async () => {
        rows = (await other.history.calls({ account: 'acc', limit: 5, offset })).rows.map((row) => row.id)
      })
      const work = sent.filter(({ collection }) => collection === 'details').map(({ name }) => name)
      return { rows, work }
    }
    expect(await read(2000), 'a jump').to.deep.equal({ rows: all.slice(2000, 2005), work: ['find', 'find'] })
    expect(await read(2005), 'the next page').to.deep.equal({ rows: all.slice(2005, 2010), work: ['find'] })
    expect(await read(2005), 'the same page again').to.deep.equal({ rows: all.slice(2005, 2010), work: ['find'] })
    all.unshift(await call())
    expect(await read(2010), 'one call more, not published').to.deep.equal({ rows: all.slice(2010, 2015), work: ['find'] })
    await publish()
    expect(await read(2015), 'and published').to.deep.equal({ rows: all.slice(2015, 2020), work: ['aggregate', 'find'] })
    all.unshift(await call(ENDPOINTS[1]), await call())
    all.splice(0, 2, ...all.slice(0, 2).toReversed())
    await publish()
    expect(await read(2020)).to.deep.equal({ rows: all.slice(2020, 2025), work: ['aggregate', 'find'] })
    expect((await read(1200)).work, 'a jump').to.deep.equal(['find', 'find'])
  }).timeout(60_000)

  it('a client that leaves nothing behind: jumps of one account are made one at a time, and one that fails holds up no other', async () => {
    const all = (await fill()).map(({ ref }) => ref)
    const { store: other, proxy } = await bench.proxied({ timeouts: { tripMs: 10_000, serverMs: 10_000 } })
    proxy.arm({
      matches: ({ name, collection, document }) => name === 'find' && collection === 'details' && Number(document['skip'] ?? 0) > 1000,
      times: 1,
      fault: 'cut-request',
    })
    const offsets = [1500, 1700, 1900, 2100]
    const read = async (offset: number) => (await other.history.calls({ account: 'acc', limit: 1, offset })).rows[0]?.id
    const pages = await Promise.allSettled(offsets.map(read))
    // The driver gives up its other connections with a broken one, so that more than one page may fail; none waits for ever.
    expect(pages.map(({ status }) => status)).to.include('rejected')
    const wrong = pages.filter((page, index) => page.status === 'fulfilled' && page.value !== all[1500 + 200 * index])
    expect(wrong).to.deep.equal([])
    expect(await Promise.all(offsets.map(read))).to.deep.equal(offsets.map((offset) => all[offset]))
  }).timeout(60_000)

  it('refunds are counted where their calls were, published or not, and are in no list', async () => {
    const [early, late] = [await call(ENDPOINTS[1]), await call()]
    await store.ledger.refund({ account: 'acc', hold: late, reason: 'client gone', owner: 'gw1', now: NOON })
    await publish()
    await store.ledger.refund({ account: 'acc', hold: early, reason: 'client gone', owner: 'gw1', now: NOON })
    const refund = (await store.ledger.entries({ limit: 9 })).at(-1)
    expect(refund).to.deep.include({ ref: `rf:${early}`, facts: facts(ENDPOINTS[1]) })
    await publish()
    expect((await store.ledger.entries({ limit: 9 })).at(-1), 'published').to.deep.include({ facts: facts(ENDPOINTS[1]) })
    const released = holdOf()
    await store.ledger.hold(released)
    await store.ledger.release(releaseOf(released.hold))
    await publish()
    expect(await ids({})).to.deep.equal({ ids: [released.hold, late, early], total: 3 })
    expect((await store.history.usage({ sinceDay: '2026-01-01' })).map(({ credits }) => credits)).to.deep.equal([0, 0])
    expect(await bench.audit()).to.deep.equal([])
  })
})
