import type { AccountSetAside } from '../types.js'
import type { Database } from './database.js'
import { NotCarriedOut } from './failure.js'

interface AsideAccount extends AccountSetAside {
  readonly acct: number
  checkedAt: number
}

interface Books {
  readonly bal: number
  readonly seq: number
  readonly held: number
  readonly open: number
  readonly last: number
  readonly after: number
  readonly holds: number
  readonly amounts: number
}

/** Interval between checks of an account that is set aside, in ms. */
const CHECK_MS = 60_000

/** Accounts whose holds or charges a sweep could not undo. Kept in memory only: a new process finds them again. */
export class SetAside {
  readonly #known = new Map<string, AsideAccount>()
  readonly #books

  constructor(db: Database) {
    this.#books = db.query<Books>(
      `select a.bal, a.seq, a.held, a.open, coalesce(e.seq, 0) last, coalesce(e.after, 0) after,
         (select count(*) from holds h where h.acct = a.n) holds, (select coalesce(sum(h.amt), 0) from holds h where h.acct = a.n) amounts
       from accounts a left join entries e on e.acct = a.n and e.seq = (select max(seq) from entries where acct = a.n) where a.n = ?`,
    )
  }

  add(account: { readonly id: string; readonly n: number }, error: unknown, now: number): void {
    const text = error instanceof Error ? error.message : String(error)
    this.#known.set(account.id, { account: account.id, acct: account.n, error: text, checkedAt: now })
  }

  /** Throws StoreUnavailable naming the account when it is set aside. */
  refuse(account: string): void {
    const known = this.#known.get(account)
    if (known === undefined) return
    throw new NotCarriedOut(`account ${account} is set aside until its records agree (see capstan ledger check): ${known.error}`)
  }

  /** Checks accounts again after a minute and restores those whose records agree. Returns their numbers. */
  restore(now: number): number[] {
    const back: number[] = []
    for (const known of this.#known.values()) {
      if (Math.abs(now - known.checkedAt) < CHECK_MS) continue
      known.checkedAt = now
      if (!this.#agrees(known.acct)) continue
      this.#known.delete(known.account)
      back.push(known.acct)
    }
    return back
  }

  /** A quick check of what every command relies on: the row agrees with the last entry and the sum of the holds. */
  #agrees(acct: number): boolean {
    const books = this.#books.get(acct)
    if (books === undefined) return false
    const { bal, seq, held, open, last, after, holds, amounts } = books
    return seq === last && bal === after && held === amounts && open === holds
  }

  /** Numbers of the accounts set aside, as a JSON list for queries. */
  numbers(): string {
    return JSON.stringify([...this.#known.values()].map(({ acct }) => acct))
  }

  list(): AccountSetAside[] {
    return [...this.#known.values()].map(({ account, error }) => ({ account, error }))
  }
}
