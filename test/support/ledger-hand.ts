import type { mongo } from 'mongoose'

/** Lets an unruly hand into the database. */
export class Hand {
  readonly #db: mongo.Db

  constructor(db: mongo.Db) {
    this.#db = db
  }

  table(name: string): mongo.Collection<{ _id: string; [field: string]: unknown }> {
    return this.#db.collection(name)
  }

  account(update: object, id = 'acc') {
    return this.table('accounts').updateOne({ _id: id }, update)
  }

  entry(seq: number, update: object) {
    return this.table('entries').updateOne({ acct: 'acc', seq }, update)
  }

  usage(update: object) {
    return this.table('usage_daily').updateOne({ acct: 'acc' }, update)
  }

  key(id: string, update: object) {
    return this.table('keys').updateOne({ _id: id }, update)
  }

  /** A copy of an entry, changed. */
  async copy(seq: number, change: object): Promise<void> {
    const found = await this.#db.collection('entries').findOne({ acct: 'acc', seq }, { projection: { _id: 0 } })
    await this.#db.collection('entries').insertOne({ ...found, ...change })
  }

  /** Puts an entry back among those that are not published yet, changed. */
  async unpublish(seq: number, change: object): Promise<void> {
    const projection = { _id: 0, acct: 0, seq: 0, after: 0, delivered: 0, call: 0 }
    const found = await this.table('entries').findOne({ acct: 'acc', seq }, { projection })
    const details = await this.table('details').findOne({ acct: 'acc', seq })
    await this.account({ $set: { out: [{ ...found, facts: details?.['facts'] ?? details?.['of'] ?? null, ...change }] } })
  }

  details(seq: number, update: object) {
    return this.table('details').updateOne({ acct: 'acc', seq }, update)
  }

  async freely(index: string): Promise<void> {
    await this.#db.collection('entries').dropIndex(index)
  }
}

/** Something that the auditor must find. */
export type Corruption = readonly [name: string, work: (hand: Hand) => Promise<unknown>, problem: RegExp]
