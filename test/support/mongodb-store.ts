import { openMongoStore, type MongoOptions } from '../../core/store/mongodb/store.js'
import { StoreUnavailable, type Store } from '../../core/store/types.js'
import { auditMongo } from '../../scripts/capstan/audit/mongodb.js'
import { needsMongo, rawMongo, temporaryMongo } from './mongodb.js'
import { MongoProxy } from './mongodb-proxy.js'
import { NOON } from './store.js'

/** A new database for each test of a suite; to be called first in the body of `describe`. */
export function useMongo(): MongoBench {
  const bench = new MongoBench()
  before(async function () {
    await needsMongo(this)
  })
  beforeEach(() => bench.begin())
  afterEach(() => bench.end())
  return bench
}

/** One database with as many gateways' stores on it as a test wants, each behind a proxy of its own when its messages are to be lost. */
class MongoBench {
  readonly #ends: (() => Promise<void>)[] = []
  #uri: string | null = null

  async begin(): Promise<void> {
    const { uri, drop } = await temporaryMongo()
    this.#uri = uri
    this.#ends.push(drop)
  }

  get uri(): string {
    if (this.#uri === null) throw new Error('the database of a suite is there only within its tests')
    return this.#uri
  }

  async gateway(options: Partial<MongoOptions> = {}): Promise<Store> {
    const store = await opened({ uri: this.uri, ...options })
    this.#ends.push(() => store.close())
    return store
  }

  async proxied(options: Partial<MongoOptions> = {}): Promise<{ store: Store; proxy: MongoProxy }> {
    const proxy = await MongoProxy.before(this.uri)
    this.#ends.push(() => proxy.close())
    return { store: await this.gateway({ uri: proxy.uri(this.uri), ...options }), proxy }
  }

  /** The documents of a collection as they are. */
  async documents(collection: string): Promise<Record<string, unknown>[]> {
    return await (await rawMongo(this.uri)).collection(collection).find().toArray()
  }

  async audit(now = NOON): Promise<string[]> {
    return (await auditMongo({ uri: this.uri, now })).problems
  }

  /** Closes what was opened, the last first. */
  async end(): Promise<void> {
    this.#uri = null
    for (const end of this.#ends.splice(0).toReversed()) await end()
  }
}

/** Tried more than once: beside other tests the server may need longer than a gateway waits for it. */
async function opened(options: MongoOptions, tries = 5): Promise<Store> {
  try {
    return await openMongoStore(options)
  } catch (error) {
    if (!(error instanceof StoreUnavailable) || tries === 1) throw error
    return await opened(options, tries - 1)
  }
}
