import type { Database, Query, SqlValue } from './database.js'

/** Rows per statement. */
const PER_STATEMENT = 8

/** Rows that a transaction adds and seldom reads, written several at a time: most of the cost is per statement. */
class NewRows {
  readonly #width: number
  readonly #one: Query<never>
  readonly #several: Query<never>
  #values: SqlValue[] = []

  /** `into` names the table with its columns, `width` is their number. */
  constructor(db: Database, into: string, width: number) {
    const row = `(${Array.from({ length: width }, () => '?').join(', ')})`
    this.#width = width
    this.#one = db.query(`insert into ${into} values ${row}`)
    this.#several = db.query(`insert into ${into} values ${Array.from({ length: PER_STATEMENT }, () => row).join(', ')}`)
  }

  add(...row: SqlValue[]): void {
    this.#values.push(...row)
  }

  /** Call it before the commit, and before a command that reads these rows. */
  write(): void {
    if (this.#values.length === 0) return
    const values = this.#values
    const most = PER_STATEMENT * this.#width
    let next = 0
    for (; values.length - next >= most; next += most) this.#several.run(...values.slice(next, next + most))
    for (; next < values.length; next += this.#width) this.#one.run(...values.slice(next, next + this.#width))
    this.#values = []
  }

  forget(): void {
    this.#values = []
  }
}

const COLUMNS = 'id, acct, seq, ref, kind, amt, after, at, owner, note, key, cap_day, caps, series, nth, failed, digest'

/** Entries that the commands of a transaction append, with the details of calls and the charges that await delivery. */
export class JournalRows {
  readonly #entries: NewRows
  readonly #details: NewRows
  readonly #awaited: NewRows
  readonly #last
  /** Entries not yet written, by account and reference. */
  readonly #refs = new Set<string>()
  #id: number | null = null

  constructor(db: Database) {
    this.#entries = new NewRows(db, `entries (${COLUMNS})`, COLUMNS.split(',').length)
    this.#details = new NewRows(db, 'calls (id, at, facts)', 3)
    this.#awaited = new NewRows(db, 'undelivered (acct, ref, owner)', 3)
    this.#last = db.query<{ id: number }>('select coalesce(max(id), 0) id from entries')
  }

  /** Appends an entry, given its columns after the reference; returns its id, which the write lock keeps free. */
  append(acct: number, seq: number, ref: string, rest: readonly SqlValue[]): number {
    this.#id ??= this.#last.get()?.id ?? 0
    this.#id += 1
    this.#refs.add(`${acct} ${ref}`)
    this.#entries.add(this.#id, acct, seq, ref, ...rest)
    return this.#id
  }

  /** Details of the call of an entry. */
  details(id: number, at: number, facts: string): void {
    this.#details.add(id, at, facts)
  }

  /** A charge whose answer is to be delivered. */
  await(acct: number, ref: string, owner: string): void {
    this.#awaited.add(acct, ref, owner)
  }

  /** True when an entry of that reference is still to be written. */
  has(acct: number, ref: string): boolean {
    return this.#refs.has(`${acct} ${ref}`)
  }

  /** Call it before the commit, and before a command that reads these rows. */
  write(): void {
    this.#entries.write()
    this.#details.write()
    this.#awaited.write()
    this.#refs.clear()
  }

  forget(): void {
    this.#entries.forget()
    this.#details.forget()
    this.#awaited.forget()
    this.#refs.clear()
    this.#id = null
  }
}
