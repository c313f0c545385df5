import type { Balance, Milli } from '../types.js'
import type { Database } from './database.js'

/** The money columns of one account. */
export interface MoneyRow {
  readonly n: number
  bal: Milli
  held: Milli
  over: Milli
  seq: number
  open: number
  readonly auth: number
  readonly disabled: number
}

/** The balance as shown to callers. */
export function balanceOf(row: MoneyRow): Balance {
  return { balance: row.bal, held: row.held, available: available(row) }
}

/** The amount that may still be spent: balance less holds plus overage. */
export function available(row: MoneyRow): Milli {
  return row.bal - row.held + row.over
}

/** The money columns of the accounts of one transaction. */
export class MoneyRows {
  readonly #known = new Map<string, MoneyRow>()
  /** The same rows as stored in the database. */
  readonly #stored = new Map<MoneyRow, Readonly<MoneyRow>>()
  readonly #changed = new Set<MoneyRow>()
  readonly #read
  readonly #write

  constructor(db: Database) {
    this.#read = db.query<MoneyRow>('select n, bal, held, over, seq, open, auth, disabled from accounts where id = ?')
    this.#write = db.query(
      `update accounts set bal = ?, held = ?, over = ?, seq = ?, open = ?
       where n = ? and bal = ? and held = ? and over = ? and seq = ? and open = ?`,
    )
  }

  /** The row within the transaction. */
  of(account: string): MoneyRow | undefined {
    const known = this.#known.get(account)
    if (known !== undefined) return known
    const row = this.#read.get(account)
    if (row === undefined) return undefined
    this.#known.set(account, row)
    this.#stored.set(row, { ...row })
    return row
  }

  /** Call it after changing a row. */
  changed(row: MoneyRow): void {
    this.#changed.add(row)
  }

  /** Writes the changed rows if they still equal what was read. Throws otherwise: roll back the transaction. */
  write(): void {
    for (const row of this.#changed) {
      const stored = this.#stored.get(row)
      if (stored === undefined) throw new Error('an account was changed that was not read in this transaction')
      const { bal, held, over, seq, open, n } = row
      const written = this.#write.run(bal, held, over, seq, open, n, stored.bal, stored.held, stored.over, stored.seq, stored.open)
      if (written !== 1) throw new Error('an account changed after it was read: nothing was written')
      this.#stored.set(row, { ...row })
    }
    this.#changed.clear()
  }

  forget(): void {
    this.#known.clear()
    this.#stored.clear()
    this.#changed.clear()
  }
}
