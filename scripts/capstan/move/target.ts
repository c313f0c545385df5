import { createHash } from 'node:crypto'
import { mongo } from 'mongoose'
import { refusal, shownPlace } from '../../../core/store/mongodb/connection.js'
import { unnamedDatabase } from '../../../core/runtime/unnamed-database.js'
import type { EntryDocument, SettingsDocument } from '../../../core/store/mongodb/documents.js'
import { MoveRefused } from './refused.js'

/** Every collection of a ledger; `moves` distinguishes finished from unfinished moves. */
const COLLECTIONS = [
  ...['accounts', 'entries', 'details', 'usage_daily', 'refused', 'keys', 'idempotency', 'retention', 'settings', 'audit', 'artifacts'],
  'gateways',
] as const

export type Collection = (typeof COLLECTIONS)[number]

type Named = { readonly _id: string }
interface Mark extends Named {
  readonly state: 'running' | 'done'
  readonly from: string
  readonly at: number
}

/** The database to which a ledger is moved. */
export class MoveTarget {
  readonly #client: mongo.MongoClient
  readonly #db: mongo.Db
  /** The address without its password. */
  readonly place: string

  readonly #uri: string

  constructor(uri: string) {
    this.#uri = uri
    this.#client = new mongo.MongoClient(uri, {
      ...{
        serverSelectionTimeoutMS: 3000,
        socketTimeoutMS: 60_000,
        retryWrites: false,
        ignoreUndefined: true,
        appName: 'capstan store move',
      },
      writeConcern: { w: 'majority', journal: true },
    })
    this.#db = this.#client.db(unnamedDatabase(uri))
    this.place = shownPlace(uri)
  }

  /** Rejects with MoveRefused unless the database is empty or contains only the remains of an unfinished move, with StoreUnavailable or StoreRefused when it cannot be reached. Returns whether a move was unfinished. */
  async check(): Promise<{ unfinished: boolean }> {
    try {
      return await this.#check()
    } catch (error) {
      throw error instanceof MoveRefused ? error : refusal(error, this.#uri)
    }
  }

  /** A gateway that was started has written a document to `gateways`. */
  async #check(): Promise<{ unfinished: boolean }> {
    const mark = await this.#marks().findOne({ _id: 'move' })
    const full: string[] = []
    for (const name of COLLECTIONS) if ((await this.#db.collection(name).findOne({}, { projection: { _id: 1 } })) !== null) full.push(name)
    if (mark?.state === 'done')
      throw new MoveRefused(
        `${this.place} has a ledger that was moved there from ${mark.from} on ${new Date(mark.at).toISOString()}: use another database`,
      )
    if (full.length > 0 && (mark === null || full.includes('gateways')))
      throw new MoveRefused(`${this.place} is not empty (${full.join(', ')}): use a database that does not exist yet, data is never merged`)
    return { unfinished: mark !== null }
  }

  /** Records that a move is running, so that its remains are recognised if it is killed. */
  async begin(from: string, now: number): Promise<void> {
    const mark = { state: 'running' as const, from, at: now }
    await this.#marks().updateOne({ _id: 'move' }, { $set: mark }, { upsert: true })
  }

  async done(): Promise<void> {
    await this.#marks().updateOne({ _id: 'move' }, { $set: { state: 'done' } })
  }

  /** Deletes what a move wrote; indexes are kept. */
  async empty(): Promise<void> {
    for (const name of COLLECTIONS) await this.#db.collection(name).deleteMany({})
    await this.#marks().deleteMany({})
  }

  async insert(collection: Collection, documents: readonly object[]): Promise<void> {
    if (documents.length > 0) await this.#db.collection(collection).insertMany(documents.map((document) => ({ ...document })))
  }

  /** Replaces the document of settings, which opening the database may have created empty. */
  async replaceSettings({ _id, ...document }: SettingsDocument): Promise<void> {
    await this.#db.collection<SettingsDocument>('settings').replaceOne({ _id }, document, { upsert: true })
  }

  async count(collection: Collection): Promise<number> {
    return await this.#db.collection(collection).countDocuments({})
  }

  /** Balance of one account. */
  async balance(account: string): Promise<number | null> {
    const found = await this.#db.collection<Named & { bal: number }>('accounts').findOne({ _id: account }, { projection: { bal: 1 } })
    return found?.bal ?? null
  }

  /** Adds every entry of an account, in order, to a digest. */
  async digest(account: string, digest: EntryDigest): Promise<void> {
    const cursor = this.#db.collection<EntryDocument>('entries').find({ acct: account }).sort({ seq: 1 }).batchSize(1000)
    for await (const entry of cursor) digest.add(entry)
  }

  async close(): Promise<void> {
    await this.#client.close()
  }

  #marks(): mongo.Collection<Mark> {
    return this.#db.collection<Mark>('moves')
  }
}

/** SHA-256 over all fields of the entries in order. */
export class EntryDigest {
  readonly #hash = createHash('sha256')
  entries = 0

  add({ acct, seq, ref, kind, amt, after, at, own, note, key, cap, caps, call, delivered }: EntryDocument): void {
    this.entries += 1
    this.#hash.update(`${JSON.stringify([acct, seq, ref, kind, amt, after, at, own, note, key, cap, caps, call, delivered])}\n`)
  }

  hex(): string {
    return this.#hash.copy().digest('hex')
  }
}
