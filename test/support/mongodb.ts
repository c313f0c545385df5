import { randomBytes } from 'node:crypto'
import type { Context } from 'mocha'
import { mongo } from 'mongoose'
import { mongoProgram, MongoServer } from './mongodb-server.js'
import { notMeasured, skip } from './needs.js'

/** A database of its own, empty and gone after `drop`. */
export interface TemporaryMongo {
  readonly uri: string
  readonly drop: () => Promise<void>
}

export interface FailPoint {
  /** Commands of the protocol, such as `findAndModify`, `insert`, `update`. */
  readonly commands: readonly string[]
  /** How many of them fail; by default one. */
  readonly times?: number
  /** How many of them pass before. */
  readonly skip?: number
  /** The connection is closed before the command was carried out: SecantusDB never carries it out and then closes. For that see mongodb-proxy.ts. */
  readonly closeConnection?: true
  /** The command is answered with this error instead of being carried out. */
  readonly errorCode?: number
  /** The command is carried out, and the answer says that the write concern was not met. */
  readonly writeConcernError?: { readonly code: number; readonly errmsg: string }
  /** The command waits so many milliseconds before it is carried out. */
  readonly blockMs?: number
}

/** The server of this run: started when first needed, ended after the last test. */
class SharedServer {
  #server: Promise<MongoServer> | null = null
  #clients = new Map<string, mongo.MongoClient>()

  /** Address of a database on the server named by CAPSTAN_TEST_MONGODB, else on one of our own. Rejects when there is none. */
  async uri(database: string): Promise<string> {
    const named = process.env['CAPSTAN_TEST_MONGODB']
    if (named !== undefined && named !== '') return withDatabase(named, database)
    const program = mongoProgram()
    if (program === null) throw new Error('secantusd-py is not installed')
    this.#server ??= MongoServer.start({ program })
    return (await this.#server).uri(database)
  }

  async client(uri: string): Promise<mongo.MongoClient> {
    const base = withDatabase(uri, '')
    const client = this.#clients.get(base) ?? new mongo.MongoClient(base)
    this.#clients.set(base, client)
    return await client.connect()
  }

  async end(): Promise<void> {
    for (const client of this.#clients.values()) await client.close()
    this.#clients.clear()
    const server = this.#server
    this.#server = null
    await (await server)?.end()
  }
}

const shared = new SharedServer()
// Of the whole run when mocha loads this file; scripts end the server themselves.
if (typeof after === 'function') after('end the MongoDB server', () => shared.end())

/** Skips where there is neither CAPSTAN_TEST_MONGODB nor the program of a server; starts the server so that no test waits for it. */
export async function needsMongo(context: Context): Promise<void> {
  const named = process.env['CAPSTAN_TEST_MONGODB'] ?? ''
  if (named === '' && mongoProgram() === null) skip(context, 'secantusd-py is not installed and CAPSTAN_TEST_MONGODB names no server')
  context.timeout(30_000)
  await shared.client(await shared.uri(''))
}

/** Skips where the server is not one that the tests started themselves: a real one may not allow the test's faults. */
export function needsOwnMongo(context: Context): string {
  const program = mongoProgram()
  return program ?? skip(context, 'secantusd-py is not installed')
}

/** The address of CAPSTAN_TEST_MONGODB: requirements on it cannot be measured on a server in another language. */
export function needsRealMongo(context: Context): string {
  const named = process.env['CAPSTAN_TEST_MONGODB'] ?? ''
  return named === '' ? notMeasured(context, 'CAPSTAN_TEST_MONGODB names no MongoDB server') : named
}

/** The same, when it is a replica set whose primary may step down: one with members to take its place. */
export async function needsReplicaSet(context: Context): Promise<void> {
  const hello = await (await shared.client(needsRealMongo(context))).db('admin').command({ hello: 1 })
  const hosts: unknown = hello['hosts']
  if (!Array.isArray(hosts) || hosts.length < 3) notMeasured(context, 'CAPSTAN_TEST_MONGODB names no replica set of three members or more')
}

/** Makes the primary of the run's server step down for ten seconds; it closes connections, so that the answer may be lost. */
export async function stepDown(uri: string): Promise<void> {
  const admin = (await shared.client(uri)).db('admin')
  await admin.command({ replSetStepDown: 10, secondaryCatchUpPeriodSecs: 5 }).catch((error: unknown) => {
    if (!(error instanceof mongo.MongoNetworkError)) throw error
  })
}

/** A fresh database. The server is the run's; starts it when it is not there yet. */
export async function temporaryMongo(): Promise<TemporaryMongo> {
  const name = `capstan_test_${randomBytes(8).toString('hex')}`
  const uri = await shared.uri(name)
  const drop = async () => {
    await (await shared.client(uri)).db(name).dropDatabase()
  }
  return { uri, drop }
}

/** The plain driver's database behind an address, for tests that read or damage what the adapter wrote. */
export async function rawMongo(uri: string): Promise<mongo.Db> {
  const client = await shared.client(uri)
  return client.db(partsOf(uri).database)
}

/** Arms the server's failCommand; the returned function disarms it. It hits every client of the server. */
export async function failPoint(uri: string, point: FailPoint): Promise<() => Promise<void>> {
  const admin = (await shared.client(uri)).db('admin')
  const { commands, times = 1, skip: skipped, closeConnection, errorCode, writeConcernError, blockMs } = point
  const mode = skipped === undefined ? { times } : { skip: skipped, times }
  const data = {
    failCommands: commands,
    ...(closeConnection === undefined ? {} : { closeConnection }),
    ...(errorCode === undefined ? {} : { errorCode }),
    ...(writeConcernError === undefined ? {} : { writeConcernError }),
    ...(blockMs === undefined ? {} : { blockConnection: true, blockTimeMS: blockMs }),
  }
  await admin.command({ configureFailPoint: 'failCommand', mode, data })
  return async () => void (await admin.command({ configureFailPoint: 'failCommand', mode: 'off' }))
}

/** Ends the server of the run; only scripts call it. */
export async function endMongo(): Promise<void> {
  await shared.end()
}

/** The same address with another database; it may have several hosts, which the URL class does not support. */
export function withDatabase(uri: string, database: string): string {
  const { hosts, query } = partsOf(uri)
  return `${hosts}/${database}${query}`
}

function partsOf(uri: string): { hosts: string; database: string; query: string } {
  const [, hosts, database = '', query = ''] = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/([^?]*))?(\?.*)?$/.exec(uri) ?? []
  if (hosts === undefined) throw new Error(`${uri} is not an address like mongodb://127.0.0.1:27017/name`)
  return { hosts, database, query }
}
