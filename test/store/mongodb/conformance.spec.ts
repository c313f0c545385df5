import type { OpenStore } from '../conformance/fixture.js'
import { openMongoStore } from '../../../core/store/mongodb/store.js'
import { needsMongo, needsOwnMongo, temporaryMongo } from '../../support/mongodb.js'
import { MongoServer } from '../../support/mongodb-server.js'
import { fresh } from '../../support/store.js'
import { storeConformance } from '../conformance/store-conformance.js'

/** The test server does some 600 updates a second: a thousand claims at once take longer than a caller would be kept waiting. */
const timeouts = { selectMs: 8000, tripMs: 10_000, serverMs: 10_000 }

describe('the ledger on MongoDB', () => {
  before(async function () {
    await needsMongo(this)
  })

  storeConformance('MongoDB', async () => {
    const database = await temporaryMongo()
    const store = await openMongoStore({ uri: database.uri, timeouts })
    const end = async () => {
      await store.close()
      await database.drop()
    }
    return { store, end }
  })
})

describe('F-07 the ledger on a single MongoDB server', () => {
  let server: MongoServer

  before(async function () {
    this.timeout(30_000)
    server = await MongoServer.start({ program: needsOwnMongo(this), standalone: true })
  })
  after(() => server.end())

  const open: OpenStore = async () => {
    const store = await openMongoStore({ uri: server.uri(fresh('capstan')), timeouts })
    return { store, end: () => store.close() }
  }
  storeConformance('MongoDB, a single server', open)
})
