import { expect } from 'chai'
import { openMongoStore } from '../../../core/store/mongodb/store.js'
import type { Store } from '../../../core/store/types.js'
import { needsOwnMongo } from '../../support/mongodb.js'
import { MongoServer } from '../../support/mongodb-server.js'
import { chargeOf, furnish, holdOf, TemporaryFolder } from '../../support/store.js'
import { atMost, until, waited } from '../../support/time.js'

const CALLERS = 100

/** How every one of many holds at once ended, and the longest it took, in ms, without what the machine was late by. */
async function callers(store: Store): Promise<{ ends: Set<string>; longest: number }> {
  const ends = new Set<string>()
  let longest = 0
  const one = async () => {
    const start = performance.now()
    ends.add(
      await store.ledger.hold(holdOf({ amount: 1, maxOpen: 10_000 })).then(
        ({ ok }) => String(ok),
        (error: unknown) => (error as Error).name,
      ),
    )
    longest = Math.max(longest, performance.now() - start)
  }
  const { all, own } = await waited(() => Promise.all(Array.from({ length: CALLERS }, one)))
  return { ends, longest: longest - (all - own) }
}

/** Milliseconds until a hold succeeds, without what the machine was late by. */
async function recovery(store: Store): Promise<number> {
  const { own } = await waited(async () => {
    await until(() => holds(store), 25_000)
  })
  return own
}

async function holds(store: Store): Promise<boolean> {
  return await store.ledger.hold(holdOf({ amount: 1, maxOpen: 10_000 })).then(
    ({ ok }) => ok,
    () => false,
  )
}

describe('a MongoDB server that goes away', () => {
  let program: string
  let server: MongoServer
  let folder: TemporaryFolder
  let log: string[]
  let store: Store

  before(function () {
    program = needsOwnMongo(this)
  })
  beforeEach(async function () {
    this.timeout(30_000)
    folder = new TemporaryFolder()
    server = await MongoServer.start({ program, folder: folder.path })
    log = []
    store = await openMongoStore({ uri: server.uri('capstan'), log: (_event, message) => void log.push(message) })
    await furnish(store)
  })
  afterEach(async () => {
    await store.close()
    await server.end()
    folder.remove()
  })

  it('F-03 N-19 hangs: a hundred callers, twice, all get the error that it is unavailable within 1.2 s, and it serves again at once when it goes on', async function () {
    const open = holdOf()
    await store.ledger.hold(open)
    server.signal('SIGSTOP')
    for (let round = 0; round < 2; round++) {
      const { ends, longest } = await callers(store)
      expect([...ends]).to.deep.equal(['StoreUnavailable'])
      await atMost(this, { what: 'the longest answer', value: longest, limit: 1250 })
    }
    server.signal('SIGCONT')
    await atMost(this, { what: 'until it serves again', value: await recovery(store), limit: 3000 })
    expect(await store.ledger.charge(chargeOf(open.hold))).to.include({ ok: true, already: false })
  }).timeout(30_000)

  it('F-02 N-19 is killed: callers get the error that it is unavailable within 1.2 s; back on the same port it serves within 3 s, nothing acknowledged is lost', async function () {
    const open = holdOf()
    await store.ledger.hold(open)
    const { port } = server
    server.signal('SIGKILL')
    const { ends, longest } = await callers(store)
    expect([...ends]).to.deep.equal(['StoreUnavailable'])
    await atMost(this, { what: 'the longest answer', value: longest, limit: 1250 })
    const refused: unknown = await store.ledger.hold(holdOf()).catch((error: unknown) => error)
    expect(refused, 'there is nothing to undo').to.include({ name: 'StoreUnavailable', sent: false })
    const again = await MongoServer.start({ program, port, folder: folder.path })
    try {
      await atMost(this, { what: 'until it serves again', value: await recovery(store), limit: 3000 })
      expect(await store.ledger.charge(chargeOf(open.hold, 400))).to.include({ ok: true, already: false, amount: 400 })
      expect(log).to.deep.equal(['the MongoDB server is unreachable', 'the MongoDB server answers again'])
    } finally {
      await again.end()
    }
  }).timeout(30_000)

  it('is gone for good: closing the store still ends', async function () {
    server.signal('SIGKILL')
    await atMost(this, { what: 'the end', value: (await waited(() => store.close())).own, limit: 2000 })
    expect(await store.ping().catch((error: unknown) => error)).to.include({ name: 'StoreUnavailable' })
  })
})
