import { mongo, MongooseError } from 'mongoose'
import { StoreUnavailable } from '../types.js'

const { MongoBulkWriteError, MongoServerError } = mongo

/** Server error codes (mongodb.com/docs/manual/reference/error-codes) that this adapter distinguishes. */
const CODE = { badValue: 2, duplicate: 11000, tooLarge: [10334, 17280, 17419, 17420], notAllowed: [13, 18] } as const

function codeOf(error: unknown): number | null {
  return error instanceof MongoServerError && typeof error.code === 'number' ? error.code : null
}

/** True when a unique index refused the write: the one failure with a known outcome, which commands rely on. */
export function isDuplicate(error: unknown): boolean {
  return codeOf(error) === CODE.duplicate
}

/** The result of an unordered bulk that failed only by writes refused by a unique index; null for other failures. */
export function refusedPlaces(error: unknown): { matched: number; duplicates: readonly number[] } | null {
  if (!(error instanceof MongoBulkWriteError)) return null
  const refused = [error.writeErrors].flat()
  if (refused.length === 0 || refused.some((one) => one.code !== CODE.duplicate)) return null
  if (error.result.getWriteConcernError() !== undefined) return null
  return { matched: error.result.matchedCount, duplicates: refused.map((one) => one.index) }
}

/** True when user or password are wrong, or the user lacks the permission. */
export function isForbidden(error: unknown): boolean {
  return CODE.notAllowed.some((code) => code === codeOf(error))
}

/** True when the server refused a journaled write because it has no journal (BadValue). */
export function isWithoutJournal(error: unknown): boolean {
  return codeOf(error) === CODE.badValue && error instanceof Error && /journal/i.test(error.message)
}

/** Refused by the server, or too large for the driver's buffer of 17 MB (RangeError). */
const isTooLarge = (error: unknown): boolean => error instanceof RangeError || CODE.tooLarge.some((code) => code === codeOf(error))

/** Values that do not fit the schema. */
const SCHEMA_ERRORS: ReadonlySet<string> = new Set(['CastError', 'ValidationError', 'StrictModeError', 'ObjectParameterError'])

/** Driver errors raised before anything is sent. By name, because two packages define them. */
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

/** Socket errors of connections that were never established. */
const REFUSED = /\b(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)\b/

function wasSent(error: Error): boolean {
  if (NOT_SENT.has(error.name) || REFUSED.test(error.message)) return false
  return !(error instanceof MongooseError && error.message.startsWith('Cannot call'))
}

/** Programming errors, never network errors. */
const MISTAKES = [TypeError, ReferenceError, SyntaxError]

/**
 * Maps the failure of a round trip. Errors of the driver, the server or the socket become StoreUnavailable: out of
 * reach, refused, or outcome unknown; in each case the command may be repeated. A value that does not fit the schema
 * becomes a RangeError.
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
