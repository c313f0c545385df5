import { type Connection, mongo, Mongoose } from 'mongoose'
import type { Log } from '../../runtime/log-events.js'
import { unnamedDatabase } from '../../runtime/unnamed-database.js'
import { StoreRefused, StoreUnavailable } from '../types.js'
import { within } from './deadline.js'
import { isForbidden, isWithoutJournal, mapFailure } from './failure.js'

/** Limits in ms; together they bound what a hanging server costs a caller to `tripMs`. */
export interface Timeouts {
  /** To find a writable server; 800 by default. */
  readonly selectMs: number
  /** For one whole round trip, after which its outcome is unknown; 1100 by default. */
  readonly tripMs: number
  /** For the server to run a command and its copies to confirm it; 900 by default. */
  readonly serverMs: number
  /** For opening: indexes on existing collections may take long; 60,000 by default. */
  readonly openMs: number
}

/** A shorter limit would fail calls that are under way. */
const LEAST_MS = 100

export const TIMEOUTS: Timeouts = { selectMs: 800, tripMs: 1100, serverMs: 900, openMs: 60_000 }

/** Limits in an address: `serverSelectionTimeoutMS`, and `socketTimeoutMS` for a whole round trip. */
export function timeoutsIn(uri: string): Partial<Timeouts> {
  const wanted = (name: string): number | null => {
    const text = new RegExp(`[?&]${name}=(\\d{1,6})(?:&|$)`, 'i').exec(uri)?.[1]
    return text === undefined || Number(text) < LEAST_MS ? null : Number(text)
  }
  const select = wanted('serverSelectionTimeoutMS')
  const trip = wanted('socketTimeoutMS')
  return {
    ...(select === null ? {} : { selectMs: select }),
    ...(trip === null ? {} : { tripMs: trip, serverMs: Math.round((trip * TIMEOUTS.serverMs) / TIMEOUTS.tripMs) }),
  }
}

/** Connection pool: enough for one gateway's concurrent calls, few enough for twenty gateways on one server. */
const POOL = { maxPoolSize: 64, minPoolSize: 2, maxConnecting: 8 }

const { MongoServerSelectionError } = mongo

/** By name, because two packages define MongoParseError. */
const UNREADABLE: ReadonlySet<string> = new Set([
  'MongoAPIError',
  'MongoInvalidArgumentError',
  'MongoMissingCredentialsError',
  'MongoMissingDependencyError',
  'MongoParseError',
])

/** Codes of Node and OpenSSL for a failed TLS handshake, and texts of errors without a code. */
const TLS_CODE = /^(CERT_|DEPTH_ZERO_SELF_SIGNED|EPROTO$|ERR_SSL_|ERR_TLS_|HOSTNAME_MISMATCH|SELF_SIGNED_|UNABLE_TO_(GET_ISSUER|VERIFY))/
const TLS_WORDS =
  /self-signed certificate|certificate has expired|verify the first certificate|issuer certificate|certificate's altnames|SSL routines/i

/** Opens one connection on its own Mongoose instance. Rejects with the errors of `refusal`. */
export async function connect(uri: string, timeouts: Timeouts, monitorCommands = false): Promise<Connection> {
  const dbName = unnamedDatabase(uri)
  let connection: Connection | null = null
  try {
    connection = new Mongoose().createConnection(uri, {
      appName: 'capstan',
      autoCreate: false,
      autoIndex: false,
      bufferCommands: false,
      connectTimeoutMS: timeouts.selectMs,
      ...(dbName === undefined ? {} : { dbName }),
      heartbeatFrequencyMS: 2000,
      ignoreUndefined: true,
      monitorCommands,
      promoteBuffers: true,
      readPreference: 'primary',
      retryReads: false,
      retryWrites: false,
      sanitizeFilter: true,
      serverSelectionTimeoutMS: timeouts.selectMs,
      socketTimeoutMS: timeouts.tripMs,
      waitQueueTimeoutMS: timeouts.selectMs,
      ...POOL,
    })
    return await connection.asPromise()
  } catch (error) {
    await connection?.destroy(true)
    throw refusal(error, uri)
  }
}

/** Maps a failure to open: StoreRefused, naming the setting, for what the operator must fix; else StoreUnavailable. */
export function refusal(error: unknown, uri: string): Error {
  if (error instanceof StoreRefused) return error
  const root: unknown = error instanceof StoreUnavailable && error.cause !== undefined ? error.cause : error
  const why = whyRefused(root)
  const message = oneLine(root instanceof Error ? root.message : String(root), uri)
  if (why !== null)
    return new StoreRefused(`the store setting (CAPSTAN_STORE) names ${redacted(uri)}: ${why} (${message})`, { cause: root })
  const mapped = mapFailure(root)
  if (!(mapped instanceof StoreUnavailable)) return mapped
  return new StoreUnavailable(`${redacted(uri)} is unreachable (${message})`, { cause: root })
}

function whyRefused(error: unknown): string | null {
  if (isForbidden(error)) return 'the server does not accept its user and password, or the user may not read and write there'
  if (isWithoutJournal(error)) return 'the server keeps no journal, and would lose what it acknowledged: start it with one'
  const name = error instanceof Error ? error.name : ''
  if (name === 'MongoCompatibilityError') return 'the server is too old or too new'
  if (UNREADABLE.has(name) || (error instanceof Error && error.message.startsWith('Unable to parse')))
    return 'it is not a valid connection string'
  if (reasons(error).some((reason) => TLS_CODE.test(reason) || TLS_WORDS.test(reason))) return 'the encrypted connection failed'
  return null
}

/** Messages and codes of an error, of its causes, and of the driver's error on each server. */
function reasons(error: unknown): string[] {
  const found: string[] = []
  for (let at: unknown = error; at instanceof Error && found.length < 32; at = at.cause) {
    found.push(at.message, 'code' in at && typeof at.code === 'string' ? at.code : '')
    if (at instanceof MongoServerSelectionError && at.reason !== undefined)
      for (const server of at.reason.servers.values()) found.push(...reasons(server.error))
  }
  return found
}

/** One line without the password or any piece of it: the driver quotes arbitrary parts of a malformed address. */
function oneLine(text: string, uri: string): string {
  const login = /^[^/]*\/\/(.*)@/s.exec(uri)?.[1] ?? ''
  const password = login.slice(login.indexOf(':') + 1)
  const pieces = [password, ...password.split(/[^\w-]+/)].filter(({ length }) => length > 2)
  return pieces.reduce((line, piece) => line.replaceAll(piece, '***'), text).replaceAll(/\s+/g, ' ')
}

/** Logs each loss and return of the server; the returned function stops that. */
export function watch(connection: Connection, uri: string, log: Log): () => void {
  const lost = (): void => log('store-away', 'the MongoDB server is unreachable', { store: redacted(uri) })
  const back = (): void => log('store-back', 'the MongoDB server answers again', { store: redacted(uri) })
  connection.on('disconnected', lost).on('reconnected', back)
  return () => void connection.off('disconnected', lost).off('reconnected', back)
}

/** Closes the connection, but waits at most `ms`: the driver ends its sessions first, on a server that may be away. */
export async function disconnect(connection: Connection, ms: number, log: Log): Promise<void> {
  const closed = connection.destroy(true).then(() => true)
  const late = new Promise<boolean>((resolve) => void setTimeout(resolve, ms, false).unref())
  if (!(await Promise.race([closed, late]))) log('store-not-closed', 'the connection to MongoDB did not close in time', { ms })
}

/** Sends a command to the server's admin database, bounded like any round trip. */
export async function adminCommand(
  connection: Connection,
  command: Readonly<Record<string, unknown>>,
  ms: number,
): Promise<mongo.Document> {
  try {
    if (connection.db === undefined) throw new StoreUnavailable('the connection to MongoDB is closed')
    return await within(ms, connection.db.admin().command({ ...command }))
  } catch (error) {
    throw mapFailure(error)
  }
}

/**
 * A connection string without password and options, safe to show. Never throws. A password that is not percent-encoded
 * may contain any character, so before the last @ only an unambiguous user name is shown.
 */
export function redacted(uri: string): string {
  const [, scheme, rest = ''] = /^(mongodb(?:\+srv)?:\/\/)(.*)$/s.exec(uri) ?? []
  if (scheme === undefined) return 'an address that does not begin with mongodb://'
  const at = rest.lastIndexOf('@')
  const user = at < 0 ? '' : `${/^[\w.-]*(?=[:@])/.exec(rest)?.[0] ?? ''}:***@`
  const [place = ''] = /^[^/?#]*(?:\/[^?#]*)?/.exec(rest.slice(at + 1)) ?? []
  return `${scheme}${user}${place}`
}

/** A redacted address that always names its database. */
export function shownPlace(uri: string): string {
  const unnamed = unnamedDatabase(uri)
  return unnamed === undefined ? redacted(uri) : `${redacted(uri).replace(/\/$/, '')}/${unnamed}`
}
