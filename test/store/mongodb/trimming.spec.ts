import { expect } from 'chai'
import { createHash } from 'node:crypto'
import type { Store } from '../../../core/store/types.js'
import { rawMongo } from '../../support/mongodb.js'
import { useMongo } from '../../support/mongodb-store.js'
import { chargeOf, DAY, facts, furnish, holdOf, NOON } from '../../support/store.js'

/** The test server deletes and updates slowly. */
const PATIENT = { timeouts: { tripMs: 10_000, serverMs: 10_000 } }

describe('retention on MongoDB, between gateways', () => {
  const bench = useMongo()
  let store: Store

  beforeEach(async () => {
    store = await bench.gateway()
    await furnish(store)
  })

  const call = async (at = NOON) => {
    const request = holdOf({ now: at, deadline: at + 60_000 })
    await store.ledger.hold(request)
    await store.ledger.charge(chargeOf(request.hold, 10, { now: at }))
  }
  /** A mark of another gateway's charge publishes all that the account has. */
  const publish = () => store.ledger.delivered([{ account: 'acc', ref: 'none' }])
  const listed = async () => await store.history.calls({ account: 'acc', limit: 9, offset: 0 })

  it('what an account has not published yet is never touched, is not listed, and is trimmed once it is published', async () => {
    await call()
    const [before] = await bench.documents('accounts')
    expect(await store.ledger.trim({ before: NOON + 1 })).to.equal(0)
    expect(await bench.documents('accounts')).to.deep.equal([before])
    expect(await listed()).to.deep.equal({ rows: [], total: 0 })
    await publish()
    expect(await store.history.usage({ sinceDay: '2026-01-01' })).to.have.length(1)
    expect(await store.ledger.trim({ before: NOON + 1 })).to.equal(1)
    expect(await bench.audit(NOON + 1)).to.deep.equal([])
  })

  it('deletes old details by the index, in steps; half-way none of them is listed, and entries stay as they are', async () => {
    const documents = Array.from({ length: 2300 }, (_, n) => ({
      ...{ _id: `acc ${String(n + 100).padStart(16, '0')}`, acct: 'acc', seq: n + 100, ref: `r${n}`, amt: 0, at: NOON + n, facts: facts() },
    }))
    await (await rawMongo(bench.uri)).collection<{ _id: string }>('details').insertMany(documents.toReversed())
    await call(NOON + DAY)
    await publish()
    const entries = await bench.documents('entries')
    const patient = await bench.gateway(PATIENT)
    expect(await patient.ledger.trim({ before: NOON + DAY })).to.equal(2000)
    const left = (await bench.documents('details')).map(({ at }) => Number(at))
    expect(Math.min(...left)).to.equal(NOON + 2000)
    expect((await listed()).total).to.equal(1)
    expect(await patient.ledger.trim({ before: NOON + DAY })).to.equal(300)
    expect(await patient.ledger.trim({ before: NOON + DAY })).to.equal(0)
    expect(await bench.documents('entries')).to.deep.equal(entries)
  }).timeout(30_000)

  it('only details go, the time is noted before they do, and their entries keep what they were for', async () => {
    await call()
    await call(NOON + 1)
    await publish()
    const before = await bench.documents('entries')
    const { store: other, proxy } = await bench.proxied()
    const sent = async () =>
      (await proxy.watch(() => other.ledger.trim({ before: NOON + 1 }))).map(({ name, collection }) => `${name} ${collection}`)
    expect(await sent()).to.deep.equal(['update retention', 'insert retention', 'find details', 'delete details'])
    expect(await bench.documents('entries')).to.deep.equal(before)
    expect((await bench.documents('details')).map(({ at }) => at)).to.deep.equal([NOON + 1])
    expect(await sent()).to.deep.equal(['update retention', 'find details', 'delete details', 'find refused'])
    const calls = before.filter(({ kind }) => kind === 'charge').map(({ call }) => call)
    const digest = createHash('sha256').update(JSON.stringify(facts())).digest('hex').slice(0, 32)
    const kept = { endpoint: '/v1/search', capability: 'search.web', failed: false, digest }
    expect(calls).to.deep.equal([kept, kept])
    expect((await store.ledger.entries({ limit: 9 })).map((entry) => entry.facts)).to.deep.equal([null, null, facts()])
  })

  it('F-05 a reply that is lost costs nothing: the trim is given again, and nobody forgets twice or too much', async () => {
    for (let count = 0; count < 4; count++) await call(NOON + count)
    await publish()
    const { store: other, proxy } = await bench.proxied()
    for (const step of ['update retention', 'delete details']) {
      const disarm = proxy.arm({ matches: ({ name, collection }) => `${name} ${collection}` === step, fault: 'cut-reply' })
      const error: unknown = await other.ledger.trim({ before: NOON + 2 }).catch((thrown: unknown) => thrown)
      expect(disarm()).to.equal(1)
      expect(error).to.include({ name: 'StoreUnavailable' })
      expect(await bench.audit(NOON + DAY)).to.deep.equal([])
    }
    expect(await store.ledger.trim({ before: NOON + 2 })).to.equal(0)
    const detailed = (await store.ledger.entries({ limit: 9 })).filter((entry) => entry.facts !== null)
    expect(detailed.map(({ at }) => at)).to.deep.equal([NOON + 2, NOON + 3])
  })

  it('the time noted only rises, whichever of many gateways notes it', async () => {
    const [second, third] = [await bench.gateway(), await bench.gateway()]
    const noted = [
      store.ledger.trim({ before: NOON + 5 }),
      second.ledger.trim({ before: NOON + 9 }),
      third.ledger.trim({ before: NOON + 7 }),
    ]
    await Promise.all(noted)
    await store.ledger.trim({ before: NOON })
    expect(await bench.documents('retention')).to.deep.equal([{ _id: 'facts', before: NOON + 9 }])
  })
})
