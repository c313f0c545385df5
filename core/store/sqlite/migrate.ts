import { StoreRefused } from '../refused.js'
import type { Database } from './database.js'
import { mapFailure } from './failure.js'
import { APPLICATION_ID, MIGRATIONS } from './schema.js'

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

/** Brings the file to this version's schema; running it again changes nothing. Rejects with StoreRefused for a file that is corrupt, foreign or from the future. */
export function migrate(db: Database, file: string): void {
  const version = db.pragma('user_version')
  refuseForeign(db, file, version)
  if (version > 0) checkPages(db, file)
  db.becomeWriter()
  if (version < MIGRATIONS.length) apply(db)
}

/** What opening the file failed with, as one line for the operator. */
export function refusal(error: unknown, file: string): Error {
  if (error instanceof StoreRefused) return error
  const mapped = mapFailure(error)
  return mapped.name === 'StoreUnavailable' ? new StoreRefused(`${file}: ${mapped.message}; nothing was changed`, { cause: error }) : mapped
}
