import type { Context } from 'mocha'
import type { mongo } from 'mongoose'
import { auditMongo } from '../../scripts/capstan/audit/mongodb.js'
import type { Entry, Store } from '../../core/store/types.js'
import { pause, until } from './time.js'
import { startGateway, type GatewayOptions, type Reply, type TestGateway } from './gateway.js'
import { MongoProxy } from './mongodb-proxy.js'
import { needsMongo, rawMongo, temporaryMongo, type TemporaryMongo } from './mongodb.js'
import { needsProgram } from './needs.js'
import { HandClock } from './outbound.js'
import { RedisProxy, startRedis, type TestRedis } from './redis.js'
import { ACCOUNT, S3Server } from './s3.js'
import { settle } from './unit.js'

export const ECHO = '/v1/test/echo'

/** The test server is slow, and slower still beside other tests: no trip fails for that. */
const PATIENCE = 'serverSelectionTimeoutMS=5000&socketTimeoutMS=20000'
/** How long a condition is waited for, in milliseconds of the machine. */
const EVENTUALLY_MS = 20_000
const CHECK_MS = 5
const LIMITS = {
  CAPSTAN_LIMIT_KEY_CONCURRENCY: '1000',
  CAPSTAN_LIMIT_ACCOUNT_CONCURRENCY: '500',
  CAPSTAN_LIMIT_FAILED_LOGINS: '10000',
}

/** The time of one replica: that of all, as long as it is alive. */
class ReplicaClock extends HandClock {
  readonly #start: number
  /** What the clock of the database shows. */
  readonly serverTime: () => number

  constructor(start: number, passed: number, serverTime: () => number) {
    super()
    this.#start = start
    this.serverTime = serverTime
    this.advance(passed)
  }

  override now(): number {
    return this.#start + this.monotonic()
  }
}

/** The common time, for code that only reads it. */
class SiteClock extends HandClock {
  readonly #now: () => number

  constructor(now: () => number) {
    super()
    this.#now = now
  }

  override now(): number {
    return this.#now()
  }
}

export interface ReplicaOptions extends GatewayOptions {
  /** The replica reaches MongoDB through a proxy of its own. */
  readonly mongoProxy?: true
  /** The replica reaches Redis through a proxy of its own. */
  readonly redisProxy?: true
}

/** A gateway on the shared servers. */
export interface Replica extends TestGateway {
  readonly clock: HandClock
  /** A service requested in the options; throws when it was not. */
  mongo(): MongoProxy
  redis(): RedisProxy
}

/** One database, one Redis and one object store, and as many gateways on them as a test wants. Time passes when the test says so. */
export class Site {
  readonly #s3Wanted: boolean
  readonly #replicas: Replica[] = []
  readonly #halted = new Set<Replica>()
  readonly #ends: (() => Promise<unknown>)[] = []
  readonly #time = new HandClock()
  readonly #pending = new Set<Promise<unknown>>()
  #start = 0
  #redis: TestRedis | null = null
  #s3: S3Server | null = null
  #database: TemporaryMongo | null = null

  constructor(options: { s3?: true } = {}) {
    this.#s3Wanted = options.s3 === true
  }

  /** For a `before` hook: starts the servers, or skips the suite where one of them is not installed. */
  async open(context: Context): Promise<void> {
    await needsMongo(context)
    needsProgram(context, 'redis-server')
    this.#redis = await startRedis()
    if (this.#s3Wanted) this.#s3 = await new S3Server(new SiteClock(() => this.now())).start()
  }

  /** An empty database and an empty Redis, before the first replica of a test. */
  async empty(): Promise<void> {
    this.#start = Date.now() - this.#time.monotonic()
    this.#database = await temporaryMongo()
    await this.redis.admin.flushall()
  }

  /** Lets every replica write what waits, ends them, and throws when the ledger breaks one of its rules, then or before. */
  async end(): Promise<void> {
    const database = this.#database
    if (database === null) return
    const problems: string[] = []
    try {
      await this.flush()
      problems.push(...(await this.audit()))
    } finally {
      for (const replica of this.#replicas.splice(0)) await replica.close()
      for (const end of this.#ends.splice(0).toReversed()) await end()
      problems.push(...(await this.audit()))
      this.#halted.clear()
      this.#database = null
      await database.drop()
    }
    if (problems.length > 0) throw new Error(`the ledger: ${problems.join('; ')}`)
  }

  /** For an `after` hook. */
  async close(): Promise<void> {
    await this.#redis?.close()
    await this.#s3?.close()
  }

  /** Unix milliseconds by the replicas' clocks. */
  now(): number {
    return this.#start + this.#time.monotonic()
  }

  get uri(): string {
    const { uri } = this.#database ?? fail('the site has no database yet')
    return `${uri}${uri.includes('?') ? '&' : '?'}${PATIENCE}`
  }

  get redis(): TestRedis {
    return this.#redis ?? fail('the site has no Redis yet')
  }

  get s3(): S3Server {
    return this.#s3 ?? fail('the options of the site have no object store')
  }

  /** So many replicas, the first one before the others, so that the first key is its. */
  async start(count: number, options: ReplicaOptions = {}): Promise<Replica[]> {
    const first = await this.replica(options)
    const rest = await Promise.all(Array.from({ length: count - 1 }, () => this.replica(options)))
    return [first, ...rest]
  }

  async replica(options: ReplicaOptions = {}): Promise<Replica> {
    const clock = new ReplicaClock(this.#start, this.#time.monotonic(), () => this.now())
    const mongo = options.mongoProxy === true ? await this.#mongoProxy() : null
    const redis = options.redisProxy === true ? await this.#redisProxy() : null
    const store = mongo === null ? this.uri : mongo.uri(this.uri)
    const gateway = await startGateway({
      ...options,
      env: { ...LIMITS, CAPSTAN_STORE: store, CAPSTAN_REDIS: (redis ?? this.redis).url, ...this.#files(), ...options.env },
      overrides: { clock, ...options.overrides },
    })
    const replica: Replica = {
      ...gateway,
      clock,
      mongo: () => mongo ?? fail('the replica has no proxy before MongoDB'),
      redis: () => redis ?? fail('the replica has no proxy before Redis'),
    }
    this.#watch(gateway.app.services.store)
    this.#replicas.push(replica)
    return replica
  }

  /** Ends a replica in good order before the others. */
  async leave(replica: Replica): Promise<void> {
    this.#replicas.splice(this.#replicas.indexOf(replica), 1)
    await replica.close()
  }

  /** Stops the clock of this replica and cuts its connections: for the others it is dead. `wake` lets it notice that it is late. */
  halt(replica: Replica): void {
    this.#halted.add(replica)
  }

  async wake(replica: Replica): Promise<void> {
    this.#halted.delete(replica)
    replica.clock.advance(this.#time.monotonic() - replica.clock.monotonic())
    await this.quiet()
  }

  /** Lets time pass, a step after the other; what a step set off is done before the next. */
  async pass(ms: number, step = ms): Promise<void> {
    for (let left = ms; left > 0; left -= step) {
      const now = Math.min(step, left)
      this.#time.advance(now)
      for (const replica of this.#replicas) if (!this.#halted.has(replica)) replica.clock.advance(now)
      await this.quiet()
    }
  }

  /** Lets time pass until the condition holds, at most so long by the replicas' clocks; answers how long it took. */
  async passUntil(holds: () => Promise<boolean>, about: { what: string; withinMs: number; step?: number }): Promise<number> {
    const { what, withinMs, step = 1_000 } = about
    for (let passed = 0; passed <= withinMs; passed += step) {
      if (await holds()) return passed
      await this.pass(step)
    }
    return fail(`${what} did not come about within ${withinMs} ms`)
  }

  /** Until the replicas' commands under way are carried out and Redis has received and answered the last commands. */
  async quiet(): Promise<void> {
    for (let turn = 0; turn < 2; turn++) {
      await settle()
      while (this.#pending.size > 0) {
        await Promise.allSettled(this.#pending)
        await settle()
      }
      await this.redis.admin.ping()
    }
    await settle()
  }

  /** Lets every living replica write at once what it gathers: marks of answered calls, counters, last uses, entries. Resolves when it is in the store. */
  async flush(): Promise<void> {
    const alive = this.#replicas.filter((replica) => !this.#halted.has(replica)).map(({ app }) => app.services)
    await Promise.all(alive.flatMap(({ deliveries, refusals, keyUses }) => [deliveries.flush(), refusals.flush(), keyUses.flush()]))
    await Promise.all(alive.map(async ({ store, instance }) => await store.ledger.publish?.({ instance, now: this.now() })))
  }

  /** What breaks the ledger's rules. */
  async audit(): Promise<string[]> {
    return (await auditMongo({ uri: this.uri, now: this.now() })).problems
  }

  async documents(collection: string): Promise<Record<string, unknown>[]> {
    return await (await rawMongo(this.uri)).collection(collection).find().toArray()
  }

  /** The documents of gateways, without the named leases beside them. */
  async gateways(): Promise<Record<string, unknown>[]> {
    return (await this.documents('gateways')).filter(({ own }) => own === undefined)
  }

  /** Changes documents behind the adapter's back. */
  async collection(name: string) {
    return (await rawMongo(this.uri)).collection<mongo.Document & { _id: string }>(name)
  }

  /** Entries of an account in order, published or not. */
  async entries(account = 'default'): Promise<Entry[]> {
    const [replica] = this.#replicas
    return (await replica?.app.services.store.ledger.entries({ account, limit: 100_000 })) ?? []
  }

  #files(): Record<string, string> {
    if (this.#s3 === null) return {}
    const { accessKeyId, secretAccessKey, sessionToken } = ACCOUNT
    return {
      CAPSTAN_ARTIFACTS: this.#s3.setting(),
      CAPSTAN_S3_ACCESS_KEY_ID: accessKeyId,
      CAPSTAN_S3_SECRET_ACCESS_KEY: secretAccessKey,
      ...(sessionToken === null ? {} : { CAPSTAN_S3_SESSION_TOKEN: sessionToken }),
    }
  }

  async #mongoProxy(): Promise<MongoProxy> {
    const proxy = await MongoProxy.before(this.uri)
    this.#ends.push(() => proxy.close())
    return proxy
  }

  async #redisProxy(): Promise<RedisProxy> {
    const proxy = await new RedisProxy(this.redis.port).up()
    this.#ends.push(() => proxy.down())
    return proxy
  }

  /** Counts the commands of a store that are under way. */
  #watch(store: Store): void {
    const { ledger, accounts, keys, idempotency, history, leases, settings, artifacts } = store
    for (const port of [ledger, accounts, keys, idempotency, history, leases, settings, artifacts])
      for (const [name, command] of Object.entries(port) as [string, (...args: unknown[]) => Promise<unknown>][])
        Object.assign(port, { [name]: (...args: unknown[]) => this.#pend(command(...args)) })
  }

  #pend<T>(work: Promise<T>): Promise<T> {
    const done = work.finally(() => this.#pending.delete(done))
    this.#pending.add(done)
    return done
  }
}

/** A paid call of the test capability. */
export function call(replica: TestGateway, key: string, about: { text?: string; headers?: Record<string, string> } = {}): Promise<Reply> {
  return replica.send(ECHO, { body: { text: about.text ?? 'hello' }, key, headers: about.headers ?? {} })
}

/** Waits for what comes about without the clock; throws when it does not. */
export async function eventually(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  // A check that moves a clock by hand needs real time between two of them, for what waits on Redis or a database.
  await until(async () => (await holds()) || (await pause(CHECK_MS).then(() => false)), EVENTUALLY_MS, what)
}

function fail(message: string): never {
  throw new Error(message)
}
