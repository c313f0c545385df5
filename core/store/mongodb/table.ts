import type { Model, mongo } from 'mongoose'
import { within } from './deadline.js'
import { isDuplicate, mapFailure, refusedPlaces } from './failure.js'
import { plainFilter, type Filter } from './filter.js'

/** How every command of a store is sent. */
export interface CommandOptions {
  /** Limit of the whole round trip, in ms; after this the outcome is unknown. */
  readonly tripMs: number
  /** Limit on the server, in ms. */
  readonly serverMs: number
  readonly writeConcern: { readonly w: number | 'majority'; readonly j: true; readonly wtimeoutMS?: number }
}

/** A causally consistent session for reads, on servers with more than one copy. */
export interface ReadScope {
  readonly session?: mongo.ClientSession
  readonly readConcern?: { readonly level: 'majority' }
}

export type Update = Readonly<Partial<Record<'$inc' | '$set' | '$unset' | '$push' | '$pull' | '$min' | '$max' | '$setOnInsert', object>>>
export type Fields = Readonly<Record<string, 0 | 1>>
type Order = Readonly<Record<string, 1 | -1>>

export interface Change {
  readonly filter: Filter
  readonly update: Update
  readonly upsert?: true
  readonly many?: true
}

/** The result of a bulk write; `duplicates` are the indexes of changes that a unique index refused. */
interface Changed {
  readonly matched: number
  readonly duplicates: readonly number[]
}

interface PageOptions {
  readonly sort?: Order
  readonly limit?: number
  readonly skip?: number
  readonly hint?: string
}

export type LooseModel = Model<Record<string, unknown>>

/**
 * One collection. Every method is one round trip, bounded in time and never repeated by the driver; filters take plain
 * values only (T-12); documents are read lean. Rejects with StoreUnavailable.
 */
export class Table<T> {
  readonly #model: LooseModel
  readonly #options: CommandOptions

  constructor(model: LooseModel, options: CommandOptions) {
    this.#model = model
    this.#options = options
  }

  /** Changes the document that matches and returns the given fields after the change; null when none matched. */
  async change(filter: Filter, update: Update, fields: Fields): Promise<T | null> {
    return await this.#send(
      this.#model
        .findOneAndUpdate(plainFilter(filter), { ...update }, { ...this.#writing(), returnDocument: 'after', projection: fields })
        .lean<T | null>()
        .exec(),
    )
  }

  /** Like `change`, but returns the fields before the change. */
  async exchange(filter: Filter, update: Update, fields: Fields): Promise<T | null> {
    return await this.#send(
      this.#model
        .findOneAndUpdate(plainFilter(filter), { ...update }, { ...this.#writing(), returnDocument: 'before', projection: fields })
        .lean<T | null>()
        .exec(),
    )
  }

  /** Deletes the document that matches and returns it. */
  async take(filter: Filter, fields: Fields): Promise<T | null> {
    return await this.#send(
      this.#model
        .findOneAndDelete(plainFilter(filter), { ...this.#writing(), projection: fields })
        .lean<T | null>()
        .exec(),
    )
  }

  /** True when one matched. */
  async update(filter: Filter, update: Update): Promise<boolean> {
    const { matchedCount } = await this.#send(this.#model.updateOne(plainFilter(filter), { ...update }, this.#writing()).exec())
    return matchedCount > 0
  }

  /** Applies changes in no particular order. */
  async bulk(changes: readonly Change[]): Promise<Changed> {
    if (changes.length === 0) return { matched: 0, duplicates: [] }
    const operations = changes.map(({ filter, update, upsert, many }) => {
      const order = { filter: plainFilter(filter), update: { ...update }, ...(upsert === undefined ? {} : { upsert }) }
      return many === true ? { updateMany: order } : { updateOne: order }
    })
    return await this.#unordered(
      this.#model.bulkWrite(operations, { ...this.#written(), ordered: false }).then((result) => result.matchedCount),
    )
  }

  /** False when a unique index refused it. */
  async insert(document: T & object): Promise<boolean> {
    const trip = this.#inserted(document)
    return await this.#send(
      trip.then(
        () => true,
        (error: unknown) => {
          if (isDuplicate(error)) return false
          throw error
        },
      ),
    )
  }

  /** Inserts new documents; returns the indexes of those that a unique index refused. */
  async insertNew(documents: readonly (T & object)[]): Promise<readonly number[]> {
    if (documents.length === 0) return []
    return (await this.#unordered(this.#insertedAll(documents))).duplicates
  }

  async remove(filter: Filter): Promise<number> {
    const { deletedCount } = await this.#send(this.#model.deleteMany(plainFilter(filter), this.#writing()).exec())
    return deletedCount
  }

  async one(filter: Filter, fields: Fields = {}, scope: ReadScope = {}): Promise<T | null> {
    return await this.#send(
      this.#model
        .findOne(plainFilter(filter), fields, { ...this.#reading(), ...scope })
        .lean<T | null>()
        .exec(),
    )
  }

  async many(filter: Filter, fields: Fields = {}, page: PageOptions = {}, scope: ReadScope = {}): Promise<T[]> {
    return await this.#send(
      this.#model
        .find(plainFilter(filter), fields, { ...this.#reading(), ...page, ...scope })
        .lean<T[]>()
        .exec(),
    )
  }

  async count(filter: Filter): Promise<number> {
    return await this.#send(this.#model.countDocuments(plainFilter(filter), this.#reading()).exec())
  }

  /** The distinct texts of a field among the documents that match. */
  async distinct(field: string, filter: Filter): Promise<string[]> {
    const found: unknown[] = await this.#send(this.#model.distinct(field, plainFilter(filter)).setOptions(this.#reading()).exec())
    return found.filter((value) => typeof value === 'string')
  }

  /** Sum of a field over the documents that match. */
  async sum(filter: Filter, field: string): Promise<number> {
    const query = [{ $match: plainFilter(filter) }, { $group: { _id: null, sum: { $sum: `$${field}` } } }]
    const [row] = await this.#send(this.#model.aggregate<{ sum: number }>(query, this.#reading()).exec())
    return row?.sum ?? 0
  }

  async #inserted(document: object): Promise<void> {
    await this.#assertFits(document)
    await this.#model.collection.insertOne({ ...document }, this.#written())
  }

  async #insertedAll(documents: readonly object[]): Promise<number> {
    // Entries that are copied may have fields of a later version.
    for (const document of documents) await this.#model.validate({ ...document })
    const copies = documents.map((document) => ({ ...document }))
    return (await this.#model.collection.insertMany(copies, { ...this.#written(), ordered: false })).insertedCount
  }

  /** Rejects when a field is unknown, missing or of another type. Only a check: the model's copy would add defaults. */
  async #assertFits(document: object): Promise<void> {
    await new this.#model({ ...document }).validate()
  }

  #written() {
    return { writeConcern: { ...this.#options.writeConcern }, maxTimeMS: this.#options.serverMs }
  }

  #writing() {
    return { ...this.#written(), sanitizeFilter: true, strict: 'throw' as const }
  }

  #reading() {
    return { maxTimeMS: this.#options.serverMs, sanitizeFilter: true }
  }

  async #send<R>(trip: Promise<R>): Promise<R> {
    try {
      return await within(this.#options.tripMs, trip)
    } catch (error) {
      throw mapFailure(error)
    }
  }

  async #unordered(trip: Promise<number>): Promise<Changed> {
    try {
      return { matched: await within(this.#options.tripMs, trip), duplicates: [] }
    } catch (error) {
      const refused = refusedPlaces(error)
      if (refused === null) throw mapFailure(error)
      return refused
    }
  }
}
