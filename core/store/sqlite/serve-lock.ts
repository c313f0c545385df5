import { join } from 'node:path'
import { Database } from './database.js'
import { isBusy } from './failure.js'
import { refusal } from './migrate.js'
import { StoreRefused } from '../refused.js'

export interface ServeLock {
  /** Lets another gateway use the folder; the end of the process does the same. */
  readonly release: () => void
}

/** Attempts when two gateways start at the same moment. */
const ATTEMPTS = 5

function holderOf(db: Database): string {
  const row = db.query<{ pid: number; since: number }>('select pid, since from holder').get()
  return row === undefined ? 'another gateway' : `the gateway with pid ${row.pid}, started ${new Date(row.since).toISOString()},`
}

function begin(db: Database, folder: string): void {
  try {
    db.exec('begin immediate')
  } catch (error) {
    if (isBusy(error))
      throw new StoreRefused(`${holderOf(db)} uses the data folder ${folder}: stop it first, or name another folder`, { cause: error })
    throw error
  }
}

/** Writes who we are and takes the lock for good; false when another process was in between. */
function take(db: Database, folder: string, self: { pid: number; since: number }): boolean {
  begin(db, folder)
  db.exec(
    'create table if not exists holder (one integer primary key check (one = 1), pid integer not null, since integer not null) strict',
  )
  db.query('insert or replace into holder (one, pid, since) values (1, ?, ?)').run(self.pid, self.since)
  db.exec('commit')
  begin(db, folder)
  const row = db.query<{ pid: number; since: number }>('select pid, since from holder').get()
  if (row?.pid === self.pid && row.since === self.since) return true
  db.exec('rollback')
  return false
}

/**
 * Takes `{folder}/serve.lock` for one gateway. The lock is the operating system's (an open SQLite transaction), so it ends with the
 * process whatever happens to it, and a number that another process got later means nothing. Throws StoreRefused naming the pid of
 * the holder. No other code of this process may open the file: closing it would drop the lock (POSIX locks belong to the process).
 */
export function takeServeLock(folder: string, self: { pid: number; since: number }): ServeLock {
  const file = join(folder, 'serve.lock')
  let db: Database | null = null
  try {
    db = new Database({ file, busyMs: 500 })
    let taken = false
    for (let attempt = 0; attempt < ATTEMPTS && !taken; attempt++) taken = take(db, folder, self)
    if (!taken) throw new StoreRefused(`the data folder ${folder} is being taken by several gateways at once: start one`)
  } catch (error) {
    db?.close()
    throw refusal(error, file)
  }
  const held = db
  // A timer keeps its callback reachable: without one, a caller that forgets the lock would lose it to the garbage collector.
  const keep = setInterval(() => held.inTransaction, 3_600_000)
  keep.unref()
  let released = false
  const release = () => {
    if (released) return
    released = true
    clearInterval(keep)
    held.exec('rollback')
    held.close()
  }
  return { release }
}
