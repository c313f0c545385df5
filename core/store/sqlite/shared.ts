import { Caps } from './caps.js'
import type { Database } from './database.js'
import { Purses } from './purse.js'
import { Tallies } from './tallies.js'

/**
 * Rows that most commands of one transaction change: the account's money, the day's counts, the use of keys. They are read once,
 * kept aside while the commands run, and written once before the commit, so that a batch of forty commands on one account writes
 * its row once and not forty times. Nothing of it outlives the transaction.
 */
export class Shared {
  readonly purses: Purses
  readonly tallies: Tallies
  readonly caps: Caps

  constructor(db: Database) {
    this.purses = new Purses(db)
    this.tallies = new Tallies(db)
    this.caps = new Caps(db)
  }

  /** Writes what is kept aside: before the commit, and before a command that reads or changes those rows by itself. */
  write(): void {
    this.purses.write()
    this.tallies.write()
    this.caps.write()
  }

  /** Drops it all, at the end of the transaction however it ended. */
  forget(): void {
    this.purses.forget()
    this.tallies.forget()
    this.caps.forget()
  }
}
