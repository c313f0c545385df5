import { databaseFault } from '../../runtime/file-faults.js'
import { StoreRefused, StoreUnavailable } from '../types.js'

/** Primary result codes (sqlite.org/rescode.html) for faults of the database, not of the command. */
const UNAVAILABLE: ReadonlyMap<number, string> = new Map([
  [5, 'the database is locked by another process'],
  [6, 'the database is locked by another connection'],
  [7, 'the database ran out of memory'],
  [8, 'the database file is read-only'],
  [10, 'the disk reported an error'],
  [11, 'the database file is corrupt'],
  [13, 'the disk is full'],
  [14, 'the database file cannot be opened'],
  [26, 'the file is not a database'],
])

/** Of those, the codes after which SQLite has certainly changed nothing. */
const NOTHING_DONE: ReadonlySet<number> = new Set([5, 6, 8, 13, 14, 26])

/** Refused before the command changed anything, so that the other commands of its transaction are unaffected. */
export class NotCarriedOut extends StoreUnavailable {
  constructor(message: string, options: ErrorOptions & { readonly full?: boolean } = {}) {
    super(message, { ...options, sent: false })
  }
}

/** SQLite's primary result code of an error, or null. */
export function sqliteCode(error: unknown): number | null {
  return error instanceof Error && 'sqliteCode' in error && typeof error.sqliteCode === 'number' ? error.sqliteCode & 0xff : null
}

/** True when the disk is full. */
export function isFull(error: unknown): boolean {
  return sqliteCode(error) === 13
}

/** True when another process held the write lock for longer than the busy timeout. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error)
  return code === 5 || code === 6
}

/** True when the whole database is unavailable: locked, disk full, closed; not for a corrupt page. */
export function isUnavailable(error: unknown): boolean {
  const code = sqliteCode(error)
  if (code === null) return error instanceof Error && error.name === 'StoreUnavailable'
  return code !== 11 && UNAVAILABLE.has(code)
}

/** Maps a failure to open the file to one line for the operator. */
export function refusal(error: unknown, file: string): Error {
  if (error instanceof StoreRefused) return error
  const mapped = mapFailure(error)
  if (mapped.name !== 'StoreUnavailable') return mapped
  return new StoreRefused(`${file}: ${databaseFault(file) ?? mapped.message}; nothing was changed`, { cause: error })
}

/** Maps SQLite's errors of disk, locks and file to StoreUnavailable; returns others unchanged. */
export function mapFailure(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  const code = sqliteCode(error)
  const reason = code === null ? undefined : UNAVAILABLE.get(code)
  if (code === null || reason === undefined) return error
  return new StoreUnavailable(`${reason} (${error.message})`, { cause: error, sent: !NOTHING_DONE.has(code), full: isFull(error) })
}
