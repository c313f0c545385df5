import { SpendingCaps } from './spending-caps.js'
import type { Database } from './database.js'
import { JournalRows } from './journal-rows.js'
import { MoneyRows } from './money-rows.js'
import { UsageCounters } from './usage-counters.js'

/**
 * Rows that most commands of one transaction change: the account's money, the day's counts, the spending of keys. Read
 * once, cached while the commands run, and written once before the commit, so that a batch of forty commands on one
 * account writes its row once and not forty times. The cache never outlives the transaction.
 */
export class WriteCache {
  readonly rows: MoneyRows
  readonly counters: UsageCounters
  readonly caps: SpendingCaps
  readonly journal: JournalRows

  constructor(db: Database) {
    this.rows = new MoneyRows(db)
    this.counters = new UsageCounters(db)
    this.caps = new SpendingCaps(db)
    this.journal = new JournalRows(db)
  }

  /** Writes the cached rows: before the commit, and before a command that reads or changes them in the database. */
  write(): void {
    this.rows.write()
    this.counters.write()
    this.caps.write()
    this.journal.write()
  }

  /** Clears the cache, at the end of the transaction however it ended. */
  forget(): void {
    this.rows.forget()
    this.counters.forget()
    this.caps.forget()
    this.journal.forget()
  }
}
