import { lstatSync, mkdirSync, readlinkSync, realpathSync } from 'node:fs'
import { fileFault } from '../../runtime/file-faults.js'
import { StoreRefused } from '../types.js'
import { basename, dirname, join, resolve } from 'node:path'
import { Database } from './database.js'
import { isBusy, refusal } from './failure.js'

/** Creates a ledger's folder, readable by its owner alone. Throws StoreRefused with one line for the operator. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new StoreRefused(`the folder ${folder} cannot be created: ${fileFault(error)}; name another one or change its rights`, {
      cause: error,
    })
  }
}

export interface ServeLock {
  /** Releases the lock, as the end of the process does. */
  readonly release: () => void
}

/** The process that holds a lock, as shown to others; `since` in Unix ms. */
interface LockHolder {
  readonly pid: number
  readonly since: number
}

interface LockPlace {
  readonly file: string
  /** What the lock guards, as in `uses the data folder /data: stop it first, or name another folder`. */
  readonly guards: string
  readonly instead: string
}

/** Attempts when two gateways start at the same moment. */
const ATTEMPTS = 5
/** Links followed from the name of a ledger that does not exist yet. */
const MOST_LINKS = 20

function holderOf(db: Database): string {
  const row = db.query<LockHolder>('select pid, since from holder').get()
  return row === undefined ? 'another gateway' : `the gateway with pid ${row.pid}, started ${new Date(row.since).toISOString()},`
}

function begin(db: Database, { guards, instead }: LockPlace): void {
  try {
    db.exec('begin immediate')
  } catch (error) {
    if (isBusy(error)) throw new StoreRefused(`${holderOf(db)} uses ${guards}: stop it first, or name ${instead}`, { cause: error })
    throw error
  }
}

/** Writes the holder and keeps the lock; false when another process came in between. */
function take(db: Database, place: LockPlace, self: LockHolder): boolean {
  begin(db, place)
  db.exec(
    'create table if not exists holder (one integer primary key check (one = 1), pid integer not null, since integer not null) strict',
  )
  db.query('insert or replace into holder (one, pid, since) values (1, ?, ?)').run(self.pid, self.since)
  db.exec('commit')
  begin(db, place)
  const row = db.query<LockHolder>('select pid, since from holder').get()
  if (row?.pid === self.pid && row.since === self.since) return true
  db.exec('rollback')
  return false
}

function takeLock(place: LockPlace, self: LockHolder): ServeLock {
  let db: Database | null = null
  try {
    db = new Database({ file: place.file, busyMs: 500 })
    let taken = false
    for (let attempt = 0; attempt < ATTEMPTS && !taken; attempt++) taken = take(db, place, self)
    if (!taken) throw new StoreRefused(`${place.guards} is being taken by several gateways at once: start one`)
  } catch (error) {
    db?.close()
    throw refusal(error, place.file)
  }
  return kept(db)
}

function kept(db: Database): ServeLock {
  // The timer keeps `db` reachable: else the garbage collector would close it when the caller drops the lock object.
  const keep = setInterval(() => db.inTransaction, 3_600_000)
  keep.unref()
  let released = false
  const release = () => {
    if (released) return
    released = true
    clearInterval(keep)
    db.exec('rollback')
    db.close()
  }
  return { release }
}

/** The path of a ledger with links resolved, whether or not it exists yet. Throws StoreRefused for a loop of links. */
function trueName(file: string): string {
  let name = resolve(file)
  for (let links = 0; links < MOST_LINKS; links++) {
    const folder = realpathSync(dirname(name))
    name = join(folder, basename(name))
    if (lstatSync(name, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return name
    name = resolve(folder, readlinkSync(name))
    makeFolder(dirname(name))
  }
  throw new StoreRefused(`${file} is a chain of too many links: name the ledger itself`)
}

function makeLedgerFolder(ledger: string): void {
  try {
    makeFolder(dirname(ledger))
  } catch (error) {
    throw error instanceof StoreRefused ? new StoreRefused(`the store setting (CAPSTAN_STORE): ${error.message}`, { cause: error }) : error
  }
}

/** Takes `{ledger}.lock` against gateways with another data folder. Throws StoreRefused with the holder's pid. */
export function takeLedgerLock(ledger: string, self: LockHolder): ServeLock {
  makeLedgerFolder(ledger)
  const name = trueName(ledger)
  return takeLock({ file: `${name}.lock`, guards: `the ledger ${name}`, instead: 'another file' }, self)
}

/**
 * Takes `{folder}/serve.lock` for one gateway, and the lock of its ledger when it is a file. The locks are the
 * operating system's (an open SQLite transaction): they end with the process however it ends, and a reused pid does no
 * harm. Throws StoreRefused with the holder's pid. No other code of this process may open the lock files: closing one
 * would drop the lock (POSIX locks belong to the process).
 */
export function takeServeLock(folder: string, self: LockHolder, ledger: string | null = null): ServeLock {
  const place = { file: join(folder, 'serve.lock'), guards: `the data folder ${folder}`, instead: 'another folder' }
  const first = takeLock(place, self)
  if (ledger === null) return first
  try {
    const second = takeLedgerLock(ledger, self)
    return {
      release: () => {
        second.release()
        first.release()
      },
    }
  } catch (error) {
    first.release()
    throw error
  }
}
