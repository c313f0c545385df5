import type { Balance, Milli } from '../port.js'
import type { Database } from './database.js'

/** The money of one account as its row has it. */
export interface Purse {
  readonly n: number
  bal: Milli
  held: Milli
  over: Milli
  seq: number
  open: number
  readonly auth: number
  readonly disabled: number
}

/** What the caller may know of it. */
export function balanceOf(purse: Purse): Balance {
  return { balance: purse.bal, held: purse.held, available: available(purse) }
}

/** What may still be spent: balance less holds plus overage. */
export function available(purse: Purse): Milli {
  return purse.bal - purse.held + purse.over
}

/** RangeError unless it is a whole number of thousandths. */
export function whole(amount: Milli, field: string): void {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`${field} must be a whole number of thousandths of a credit, not ${amount}`)
}

/** The money columns of the accounts of one transaction. */
export class Purses {
  readonly #known = new Map<string, Purse>()
  readonly #changed = new Set<Purse>()
  readonly #read
  readonly #write

  constructor(db: Database) {
    this.#read = db.query<Purse>('select n, bal, held, over, seq, open, auth, disabled from accounts where id = ?')
    this.#write = db.query('update accounts set bal = ?, held = ?, over = ?, seq = ?, open = ? where n = ?')
  }

  /** As it stands within the transaction. */
  of(account: string): Purse | undefined {
    const known = this.#known.get(account)
    if (known !== undefined) return known
    const purse = this.#read.get(account)
    if (purse !== undefined) this.#known.set(account, purse)
    return purse
  }

  /** To be called when one was changed. */
  changed(purse: Purse): void {
    this.#changed.add(purse)
  }

  write(): void {
    for (const { bal, held, over, seq, open, n } of this.#changed) this.#write.run(bal, held, over, seq, open, n)
    this.#changed.clear()
  }

  forget(): void {
    this.#known.clear()
    this.#changed.clear()
  }
}
