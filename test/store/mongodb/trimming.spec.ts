import { expect } from 'chai'
import type { Store } from '../../../core/store/port.js'
import { rawMongo } from '../../support/mongodb.js'
import { useMongo } from '../../support/mongodb-store.js'
import { chargeOf, DAY, facts, furnish, holdOf, NOON } from '../../support/store.js'

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
    return { account: 'acc', ref: request.hold }
  }
  const listed = async () => await store.history.calls({ account: 'acc', limit: 9, offset: 0 })

  it('what an account has not published yet is never touched, is not listed, and is trimmed once it is published', async () => {
    const ref = await call()
    const [before] = await bench.documents('accounts')
    expect(await store.ledger.trim({ before: NOON + 1 })).to.equal(0)
    expect(await bench.documents('accounts')).to.deep.equal([before])
    expect(await listed()).to.deep.equal({ rows: [], total: 0 })
    await store.ledger.delivered([ref])
    expect(await store.history.usage({ sinceDay: '2026-01-01' })).to.have.length(1)
    expect(await store.ledger.trim({ before: NOON + 1 })).to.equal(1)
    expect(await bench.audit(NOON + 1)).to.deep.equal([])
  })

  it('takes five hundred entries at once, the oldest first; half-way none of them is listed', async () => {
    const line = { acct: 'acc', kind: 'charge', amt: 0, after: 10_000, own: 'gw1', note: null, key: 'key_1', cap: null, delivered: true }
    const documents = Array.from({ length: 520 }, (_, n) => ({ ...line, seq: n + 2, ref: `r${n}`, at: NOON + n, facts: facts() }))
    await (await rawMongo(bench.uri)).collection('entries').insertMany(documents.toReversed())
    expect(await store.ledger.trim({ before: NOON + DAY })).to.equal(500)
    const told = (await bench.documents('entries')).filter((entry) => entry['facts'] !== null)
    expect(told.map(({ at }) => Number(at)).sort()).to.deep.equal(Array.from({ length: 20 }, (_, index) => NOON + 500 + index))
    expect(await listed()).to.deep.equal({ rows: [], total: 0 })
    expect(await store.ledger.trim({ before: NOON + DAY })).to.equal(20)
    expect(await store.ledger.trim({ before: NOON + DAY })).to.equal(0)
  })

  it('only facts change, and the time is noted before they do', async () => {
    await store.ledger.delivered([await call(), await call(NOON + 1)])
    const before = await bench.documents('entries')
    const { store: other, proxy } = await bench.proxied()
    const commands = await proxy.watch(() => other.ledger.trim({ before: NOON + 1 }))
    expect(commands.map(({ name, collection }) => `${name} ${collection}`)).to.deep.equal([
      'update retention',
      'insert retention',
      'find entries',
      'update entries',
    ])
    expect(await bench.documents('entries')).to.deep.equal(
      before.map((entry) => (Number(entry['at']) <= NOON && entry['kind'] === 'charge' ? { ...entry, facts: null } : entry)),
    )
    const again = await proxy.watch(() => other.ledger.trim({ before: NOON + 1 }))
    expect(again.map(({ name, collection }) => `${name} ${collection}`)).to.deep.equal(['update retention', 'find entries'])
  })

  it('F-05 a reply that is lost costs nothing: the trim is given again, and nobody forgets twice or too much', async () => {
    for (let count = 0; count < 4; count++) await store.ledger.delivered([await call(NOON + count)])
    const { store: other, proxy } = await bench.proxied()
    for (const collection of ['retention', 'entries']) {
      const disarm = proxy.arm({ matches: (command) => command.name === 'update' && command.collection === collection, fault: 'cut-reply' })
      const error: unknown = await other.ledger.trim({ before: NOON + 2 }).catch((thrown: unknown) => thrown)
      expect(disarm()).to.equal(1)
      expect(error).to.include({ name: 'StoreUnavailable' })
      expect(await bench.audit(NOON + DAY)).to.deep.equal([])
    }
    expect(await store.ledger.trim({ before: NOON + 2 })).to.equal(0)
    const told = (await store.ledger.entries({ limit: 9 })).filter((entry) => entry.facts !== null)
    expect(told.map(({ at }) => at)).to.deep.equal([NOON + 2, NOON + 3])
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
