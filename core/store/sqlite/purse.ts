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

/** Reads and writes the money columns of accounts, always inside the transaction of a command. */
export function purses(db: Database) {
  const read = db.query<Purse>('select n, bal, held, over, seq, open, auth, disabled from accounts where id = ?')
  const write = db.query('update accounts set bal = ?, held = ?, over = ?, seq = ?, open = ? where n = ?')
  return {
    read: (account: string): Purse | undefined => read.get(account),
    write: (purse: Purse): void => {
      write.run(purse.bal, purse.held, purse.over, purse.seq, purse.open, purse.n)
    },
  }
}
