import { StoreUnavailable } from '../port.js'

/** Primary result codes (sqlite.org/rescode.html) that mean: the database, not the command, is at fault. */
const UNAVAILABLE: ReadonlyMap<number, string> = new Map([
  [5, 'the database is locked by another process'],
  [6, 'the database is locked by another connection'],
  [7, 'the database ran out of memory'],
  [8, 'the database file is read-only'],
  [10, 'the disk answered an error'],
  [11, 'the database file is corrupt'],
  [13, 'the disk is full'],
  [14, 'the database file cannot be opened'],
  [26, 'the file is not a database'],
])

/** SQLite's primary result code of an error, or null. */
export function sqliteCode(error: unknown): number | null {
  return error instanceof Error && 'sqliteCode' in error && typeof error.sqliteCode === 'number' ? error.sqliteCode & 0xff : null
}

/** True when the disk has no room left. */
export function isFull(error: unknown): boolean {
  return sqliteCode(error) === 13
}

/** True when another process held the write lock for longer than the busy timeout. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error)
  return code === 5 || code === 6
}

/** StoreUnavailable for what SQLite says about disk, locks and the file; everything else as it is. */
export function mapFailure(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  const code = sqliteCode(error)
  const said = code === null ? undefined : UNAVAILABLE.get(code)
  return said === undefined ? error : new StoreUnavailable(`${said} (${error.message})`, { cause: error })
}
