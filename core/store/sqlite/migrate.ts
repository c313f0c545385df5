import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { StoreRefused } from '../refused.js'
import type { Database } from './database.js'
import { APPLICATION_ID, MIGRATIONS } from './schema.js'
import { takeLedgerLock, takeServeLock, type ServeLock } from './serve-lock.js'

/** Files up to this size are checked page by page when opened; larger ones by `capstan ledger check`. */
const CHECKED_BYTES = 32 * 1024 * 1024

function refuseForeign(db: Database, file: string, version: number): void {
  const application = db.pragma('application_id')
  const tables = db.query<{ n: number }>('select count(*) n from sqlite_schema').get()?.n ?? 0
  if (application !== APPLICATION_ID && tables > 0) throw new StoreRefused(`${file} is a database of another program; nothing was changed`)
  if (version > MIGRATIONS.length) {
    throw new StoreRefused(
      `${file} has schema version ${version}, this version of capstan knows up to ${MIGRATIONS.length}: update capstan; nothing was changed`,
    )
  }
}

function checkPages(db: Database, file: string): void {
  if (db.pragma('page_count') * db.pragma('page_size') > CHECKED_BYTES) return
  const found = db.query<{ quick_check: string }>('pragma quick_check(1)').get()?.quick_check
  if (found !== 'ok')
    throw new StoreRefused(`${file} is damaged (${String(found).split('\n').at(-1)}): restore a backup; nothing was repaired`)
}

function apply(db: Database): void {
  db.exec('begin immediate')
  try {
    for (const step of MIGRATIONS.slice(db.pragma('user_version'))) db.exec(step)
    db.exec(`pragma application_id = ${APPLICATION_ID}; pragma user_version = ${MIGRATIONS.length}; commit`)
  } catch (error) {
    if (db.inTransaction) db.exec('rollback')
    throw error
  }
}

/** What a process that brings a ledger forward must keep others from doing meanwhile. */
interface MigrationGuard {
  readonly file: string
  /** Folder whose `serve.lock` a gateway on the file holds. */
  readonly dataFolder: string
  /** This process holds the locks of a gateway. */
  readonly locked: boolean
}

/** Runs `work` while no gateway runs on the file: one of an earlier version must not find a later schema under it. Throws StoreRefused beside one. */
function alone(guard: MigrationGuard, version: number, work: () => void): void {
  if (guard.locked) {
    work()
    return
  }
  const self = { pid: process.pid, since: Date.now() }
  const locks: ServeLock[] = []
  try {
    if (existsSync(join(guard.dataFolder, 'serve.lock'))) locks.push(takeServeLock(guard.dataFolder, self))
    locks.push(takeLedgerLock(guard.file, self))
    work()
  } catch (error) {
    if (!(error instanceof StoreRefused)) throw error
    const [holder] = error.message.split(' uses ')
    throw new StoreRefused(
      `${guard.file} has the schema of an earlier version (${version}, this one has ${MIGRATIONS.length}) and ${holder} uses it: restart the gateway with this version first; nothing was changed`,
      { cause: error },
    )
  } finally {
    for (const lock of locks) lock.release()
  }
}

/**
 * Brings the file to this version's schema; running it again changes nothing. Throws StoreRefused for a file that is corrupt, foreign or
 * from the future, and for one of an earlier version that a running gateway uses.
 */
export function migrate(db: Database, guard: MigrationGuard): void {
  const { file } = guard
  const version = db.pragma('user_version')
  refuseForeign(db, file, version)
  if (version > 0) checkPages(db, file)
  if (version === 0 || version === MIGRATIONS.length) db.becomeWriter()
  if (version === 0) apply(db)
  else if (version < MIGRATIONS.length)
    alone(guard, version, () => {
      db.becomeWriter()
      apply(db)
    })
}
