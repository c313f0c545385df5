import { openMongoStore, type MongoOptions } from '../../core/store/mongodb/store.js'
import type { Store } from '../../core/store/port.js'
import { auditMongo } from '../../core/audit/mongodb.js'
import { rawMongo, temporaryMongo } from './mongodb.js'
import { MongoProxy } from './mongodb-proxy.js'
import { NOON } from './store.js'

/** One database with as many gateways' stores on it as a test wants, each behind a proxy of its own when its messages are to be lost. */
export class MongoBench {
  readonly #ends: (() => Promise<void>)[] = []
  readonly uri: string

  private constructor(uri: string) {
    this.uri = uri
  }

  static async start(): Promise<MongoBench> {
    const { uri, drop } = await temporaryMongo()
    const bench = new MongoBench(uri)
    bench.#ends.push(drop)
    return bench
  }

  async gateway(options: Partial<MongoOptions> = {}): Promise<Store> {
    const store = await openMongoStore({ uri: this.uri, ...options })
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
    for (const end of this.#ends.toReversed()) await end()
  }
}
