import { mongo, MongooseError } from 'mongoose'
import { StoreUnavailable } from '../types.js'

const { MongoBulkWriteError, MongoServerError } = mongo

/** Server error codes (mongodb.com/docs/manual/reference/error-codes) that this adapter tells apart. */
const CODE = { badValue: 2, duplicate: 11000, tooLarge: [10334, 17280, 17419, 17420], notAllowed: [13, 18] } as const

function codeOf(error: unknown): number | null {
  return error instanceof MongoServerError && typeof error.code === 'number' ? error.code : null
}

/** True when a unique index refused the write: the one failure whose outcome is known and that commands count on. */
export function isDuplicate(error: unknown): boolean {
  return codeOf(error) === CODE.duplicate
}

/** What an unordered bulk did, when nothing failed but writes that a unique index refused; null for every other failure. */
export function refusedPlaces(error: unknown): { matched: number; duplicates: readonly number[] } | null {
  if (!(error instanceof MongoBulkWriteError)) return null
  const refused = [error.writeErrors].flat()
  if (refused.length === 0 || refused.some((one) => one.code !== CODE.duplicate)) return null
  if (error.result.getWriteConcernError() !== undefined) return null
  return { matched: error.result.matchedCount, duplicates: refused.map((one) => one.index) }
}

/** True when user or password are wrong, or the user may not do this. */
export function isForbidden(error: unknown): boolean {
  return CODE.notAllowed.some((code) => code === codeOf(error))
}

/** True when the server refused a write that is to wait for its journal, because it has none (BadValue). */
export function isWithoutJournal(error: unknown): boolean {
  return codeOf(error) === CODE.badValue && error instanceof Error && /journal/i.test(error.message)
}

/** The server says so; the driver already fails to write it into its buffer of 17 MB. */
const isTooLarge = (error: unknown): boolean => error instanceof RangeError || CODE.tooLarge.some((code) => code === codeOf(error))

/** Values that do not fit the schema. */
const SCHEMA_ERRORS: ReadonlySet<string> = new Set(['CastError', 'ValidationError', 'StrictModeError', 'ObjectParameterError'])

/** What the driver fails with before it sends anything: no server, no connection, no place among the connections, or closed. By name: two packages have them. */
const NOT_SENT: ReadonlySet<string> = new Set([
  'MongoServerSelectionError',
  'MongooseServerSelectionError',
  'MongoWaitQueueTimeoutError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoClientClosedError',
])

/** Connections that did not come about. */
const REFUSED = /\b(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)\b/

function wasSent(error: Error): boolean {
  if (NOT_SENT.has(error.name) || REFUSED.test(error.message)) return false
  return !(error instanceof MongooseError && error.message.startsWith('Cannot call'))
}

/** Mistakes of a program, never of a network. */
const MISTAKES = [TypeError, ReferenceError, SyntaxError]

/**
 * What a round trip failed with, for those above. Everything the driver, the server or the socket says is StoreUnavailable: out of reach,
 * refused, or the outcome unknown, and in each case the command may be repeated. A value that does not fit the schema is a RangeError.
 */
export function mapFailure(error: unknown): Error {
  if (!(error instanceof Error)) return new StoreUnavailable(String(error))
  if (error instanceof StoreUnavailable) return error
  if (isDuplicate(error)) return new StoreUnavailable('another document with this id or reference exists', { cause: error })
  if (isTooLarge(error)) return new StoreUnavailable('the document would be larger than the server allows', { cause: error })
  if (error instanceof MongooseError && SCHEMA_ERRORS.has(error.name)) return new RangeError(error.message, { cause: error })
  if (MISTAKES.some((mistake) => error instanceof mistake)) return error
  return new StoreUnavailable(`MongoDB: ${error.message}`, { cause: error, sent: wasSent(error) })
}
