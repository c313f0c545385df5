import { expect } from 'chai'
import { auditMongo } from '../../scripts/capstan/audit/mongodb.js'
import { openMongoStore } from '../../core/store/mongodb/store.js'
import { StoreUnavailable, type Entry, type Store } from '../../core/store/types.js'
import { chargeOf, furnish, holdOf, NOON, TemporaryFolder } from '../support/store.js'
import { needsOwnMongo, needsReplicaSet, stepDown, temporaryMongo } from '../support/mongodb.js'
import { MongoServer } from '../support/mongodb-server.js'
import { eventually } from '../support/replicas.js'

/** How often the primary goes; three times in the suite of the outages, CAPSTAN_TEST_FAILOVERS=60 is N-20. */
const TIMES = Number(process.env.CAPSTAN_TEST_FAILOVERS ?? (process.env.CAPSTAN_TEST_LONG === 'all' ? 3 : 1))
const CALLERS = 8
/** Charges that must be acknowledged between two failovers. */
const BETWEEN = 40

/** Callers that hold and charge without a pause, and what the ledger acknowledged to them: amounts by reference. */
class Callers {
  readonly acknowledged = new Map<string, number>()
  refused = 0
  #stopped = false
  readonly #ends: Promise<void>[]

  constructor(store: Store) {
    this.#ends = Array.from({ length: CALLERS }, () => this.#call(store))
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#ends)
  }

  /** Until so many more were acknowledged. */
  async more(count: number): Promise<void> {
    const wanted = this.acknowledged.size + count
    await eventually(() => this.acknowledged.size >= wanted, `${count} more charges are acknowledged`)
  }

  async #call(store: Store): Promise<void> {
    for (let amount = 1; !this.#stopped; amount = (amount % 900) + 1) {
      const hold = holdOf({ maxOpen: 100_000 })
      try {
        const held = await store.ledger.hold(hold)
        expect(held.ok, 'there is money and room for all').to.equal(true)
        const charged = await store.ledger.charge(chargeOf(hold.hold, amount))
        expect(charged.ok, 'nothing else ends these holds').to.equal(true)
        this.acknowledged.set(hold.hold, 0 - amount)
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error
        this.refused++
      }
    }
  }
}

/** All entries of the account, once every one of them is published. */
async function published(store: Store): Promise<Map<string, Entry>> {
  await store.ledger.sweep({ now: NOON + 3_600_000, graceMs: 0, owner: 'test', deadOwners: ['gw1'] })
  const found = new Map<string, Entry>()
  for (let page = await store.ledger.entries({ account: 'acc', limit: 1_000 }); page.length > 0;) {
    for (const entry of page) found.set(entry.ref, entry)
    page = await store.ledger.entries({ account: 'acc', afterSeq: page.at(-1)?.seq ?? 0, limit: 1_000 })
  }
  return found
}

async function survives(uri: string, goes: () => Promise<void>): Promise<void> {
  const store = await openMongoStore({ uri })
  try {
    await furnish(store, 1e12)
    const callers = new Callers(store)
    try {
      for (let time = 0; time < TIMES; time++) {
        await callers.more(BETWEEN)
        await goes()
      }
      await callers.more(BETWEEN)
    } finally {
      await callers.stop()
    }
    expect(callers.refused, 'the failovers were felt').to.be.above(0)
    const entries = await published(store)
    const lost = [...callers.acknowledged].filter(([ref, amount]) => entries.get(ref)?.amount !== amount)
    expect(lost, `of ${callers.acknowledged.size} acknowledged`).to.deep.equal([])
    expect((await auditMongo({ uri, now: NOON + 7_200_000 })).problems).to.deep.equal([])
  } finally {
    await store.close()
  }
}

describe('F-06 N-20 what was acknowledged survives a primary that goes while commands are under way', function () {
  this.timeout(20_000 + TIMES * 30_000)

  it('killed and started again', async function () {
    const program = needsOwnMongo(this)
    const folder = new TemporaryFolder()
    const start = (port = 0): Promise<MongoServer> => MongoServer.start({ program, port, folder: folder.path })
    let server = await start()
    try {
      await survives(server.uri('capstan'), async () => {
        await server.end()
        server = await start(server.port)
      })
    } finally {
      await server.end()
      folder.remove()
    }
  })

  it('stepped down, another member in its place', async function () {
    await needsReplicaSet(this)
    const { uri, drop } = await temporaryMongo()
    try {
      await survives(uri, () => stepDown(uri))
    } finally {
      await drop()
    }
  })
})
