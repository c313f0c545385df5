import type { Connection, mongo } from 'mongoose'
import { StoreRefused } from '../refused.js'
import { within } from './deadline.js'

/** The indexes of each collection. The three uniques of `entries` and `keys` carry the ledger; the others only make it fast. */
const INDEXES: Readonly<Record<string, readonly mongo.IndexDescription[]>> = {
  accounts: [
    { key: { created_at: 1, _id: 1 } },
    { key: { name: 1, created_at: 1 } },
    // Its key never changes, so it is written only when the first hold of an account opens and when the last one ends.
    { key: { created_at: 1 }, name: 'with_open_holds', partialFilterExpression: { open: { $gt: 0 } } },
    { key: { since: 1 }, sparse: true },
  ],
  entries: [
    { key: { acct: 1, seq: 1 }, unique: true },
    { key: { acct: 1, ref: 1 }, unique: true },
    { key: { acct: 1, at: 1 } },
    { key: { acct: 1, 'facts.capability': 1, seq: 1 } },
    { key: { at: 1 }, name: 'told', partialFilterExpression: { 'facts.endpoint': { $exists: true } } },
    { key: { own: 1, acct: 1, ref: 1 }, name: 'undelivered', partialFilterExpression: { kind: 'charge', delivered: null } },
  ],
  usage_daily: [{ key: { acct: 1, day: 1 } }, { key: { day: 1 } }],
  refused: [{ key: { acct: 1, day: 1 } }, { key: { day: 1 } }],
  keys: [{ key: { hash: 1 }, unique: true }, { key: { acct: 1, created_at: 1, _id: 1 } }],
  idempotency: [
    { key: { expires: 1 } },
    { key: { hid: 1 }, name: 'kept_holds', partialFilterExpression: { st: 'ready' } },
    { key: { acct: 1, bytes: 1 }, name: 'kept_bytes', partialFilterExpression: { st: 'ready' } },
  ],
  leases: [],
  settings: [],
  retention: [],
  audit: [{ key: { at: -1, _id: -1 } }],
  artifacts: [{ key: { expires_at: 1 } }, { key: { acct: 1 } }],
}

/** Two indexes of one name or key that differ: something else made them. */
const CONFLICTS = [85, 86]

/** Makes the indexes that are not there, each collection's in one command; several gateways may do so at once, and again changes nothing. */
export async function makeIndexes(connection: Connection, openMs: number): Promise<void> {
  const each = Object.entries(INDEXES).map(async ([name, wanted]) => {
    if (wanted.length > 0) await within(openMs, indexed(connection, name, wanted))
  })
  await Promise.all(each)
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
