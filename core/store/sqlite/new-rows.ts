import type { Database, Query, SqlValue } from './database.js'

/** Rows per statement. */
const PER_STATEMENT = 8

/** Rows that a transaction adds and seldom reads, written several at a time: most of the cost is per statement. */
export class NewRows {
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
