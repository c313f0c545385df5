import { databaseFault } from '../../runtime/file-faults.js'
import { StoreUnavailable } from '../types.js'
import { StoreRefused } from '../refused.js'

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

/** Of those, the ones after which SQLite certainly has changed nothing. */
const NOTHING_DONE: ReadonlySet<number> = new Set([5, 6, 8, 13, 14, 26])

/** Refused before the command changed anything, so that the other commands of its transaction are not touched. */
export class NotCarriedOut extends StoreUnavailable {
  constructor(message: string, options: ErrorOptions & { readonly full?: boolean } = {}) {
    super(message, { ...options, sent: false })
  }
}

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

/** True when the database as a whole cannot be used at the moment, whatever the command was: locked, out of room, closed. A corrupt page is of the command. */
export function isUnavailable(error: unknown): boolean {
  const code = sqliteCode(error)
  if (code === null) return error instanceof Error && error.name === 'StoreUnavailable'
  return code !== 11 && UNAVAILABLE.has(code)
}

/** What opening a file failed with, as one line for the operator. */
export function refusal(error: unknown, file: string): Error {
  if (error instanceof StoreRefused) return error
  const mapped = mapFailure(error)
  if (mapped.name !== 'StoreUnavailable') return mapped
  return new StoreRefused(`${file}: ${databaseFault(file) ?? mapped.message}; nothing was changed`, { cause: error })
}

/** StoreUnavailable for what SQLite says about disk, locks and the file; everything else as it is. */
export function mapFailure(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  const code = sqliteCode(error)
  const reason = code === null ? undefined : UNAVAILABLE.get(code)
  if (code === null || reason === undefined) return error
  return new StoreUnavailable(`${reason} (${error.message})`, { cause: error, sent: !NOTHING_DONE.has(code), full: isFull(error) })
}
