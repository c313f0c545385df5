import type { Connection, mongo } from 'mongoose'
import { StoreRefused } from '../types.js'
import type { Log } from '../../runtime/log-events.js'
import { mapFailure } from './failure.js'

/** Indexes by collection. The unique ones of `entries` and `keys` keep the ledger correct; the others are for speed. */
const INDEXES: Readonly<Record<string, readonly mongo.IndexDescription[]>> = {
  accounts: [
    { key: { created_at: 1, _id: 1 } },
    { key: { name: 1, created_at: 1 } },
    // `created_at` never changes: this index is written only when an account's first hold opens and its last one ends.
    { key: { created_at: 1 }, name: 'with_open_holds', partialFilterExpression: { open: { $gt: 0 } } },
    { key: { pub: 1, _id: 1 }, name: 'unpublished', partialFilterExpression: { pub: { $exists: true } } },
    { key: { dl: 1, _id: 1 }, name: 'deadlines', partialFilterExpression: { dl: { $exists: true } } },
    { key: { 'out.own': 1 }, name: 'unpublished_of', sparse: true },
  ],
  entries: [
    { key: { acct: 1, seq: 1 }, unique: true },
    { key: { acct: 1, ref: 1 }, unique: true },
    { key: { own: 1, n: 1 }, name: 'numbered_charges', partialFilterExpression: { n: { $exists: true } } },
  ],
  details: [{ key: { acct: 1, 'facts.capability': 1, seq: 1 } }, { key: { at: 1 } }],
  usage_daily: [{ key: { acct: 1, day: 1 } }, { key: { day: 1 } }],
  refused: [{ key: { acct: 1, day: 1 } }, { key: { day: 1 } }],
  keys: [
    { key: { hash: 1 }, unique: true },
    { key: { acct: 1, revoked_at: 1, created_at: 1, _id: 1 } },
    { key: { caps: 1 }, sparse: true },
    { key: { due: 1 }, sparse: true },
  ],
  idempotency: [{ key: { expires: 1 } }, { key: { acct: 1, bytes: 1 }, name: 'kept_bytes', partialFilterExpression: { st: 'ready' } }],
  gateways: [{ key: { expires: 1 }, sparse: true }],
  settings: [],
  retention: [],
  audit: [{ key: { at: -1, _id: -1 } }],
  artifacts: [{ key: { expires_at: 1 } }, { key: { acct: 1 } }],
}

/** Codes for two different indexes of one name or key: something else made the other. */
const CONFLICTS = [85, 86]

/** Interval of the log line that an index is still being built, in ms. */
const LOG_MS = 10_000

interface Building {
  readonly log: Log
  /** Rejects when the server is unreachable: building itself has no time limit. */
  readonly alive: () => Promise<unknown>
}

/** Creates missing indexes, one command per collection. Idempotent; several gateways may do so at once. */
export async function makeIndexes(connection: Connection, building: Building): Promise<void> {
  const pending = new Set<string>()
  const each = Object.entries(INDEXES).map(async ([name, wanted]) => {
    if (wanted.length === 0) return
    pending.add(name)
    await indexed(connection, name, wanted)
    pending.delete(name)
  })
  await whileAlive(Promise.all(each), pending, building)
}

async function whileAlive(work: Promise<unknown>, pending: ReadonlySet<string>, { log, alive }: Building): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const gone = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      for (const collection of pending) log('indexes-building', 'indexes of a collection are being built', { collection })
      alive().catch(reject)
    }, LOG_MS)
  })
  try {
    await Promise.race([work, gone])
  } catch (error) {
    throw error instanceof StoreRefused ? error : mapFailure(error)
  } finally {
    clearInterval(timer)
  }
}

async function indexed(connection: Connection, name: string, wanted: readonly mongo.IndexDescription[]): Promise<void> {
  try {
    await connection.collection(name).createIndexes([...wanted])
  } catch (error) {
    const code: unknown = error instanceof Error && 'code' in error ? error.code : null
    if (!CONFLICTS.some((conflict) => conflict === code)) throw error
    throw new StoreRefused(`the collection ${name} has other indexes than this version of capstan makes: name an empty database`, {
      cause: error,
    })
  }
}
