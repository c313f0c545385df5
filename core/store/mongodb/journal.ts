import type { Facts } from '../types.js'
import type { Collections } from './collections.js'
import { op } from './filter.js'
import type { AccountDocument, EntryDocument } from './documents.js'
import { JOURNAL, numbered } from './snapshot.js'
import type { ReadScope } from './table.js'

/** An entry found by its reference. A published one has `call` and no facts, an unpublished one facts and no `call`. */
export type Found = Pick<EntryDocument, 'ref' | 'kind' | 'amt' | 'seq' | 'key' | 'cap' | 'caps' | 'call'> & {
  readonly facts?: Facts | null
}

const FOUND = { ref: 1, kind: 1, amt: 1, seq: 1, key: 1, cap: 1, caps: 1, call: 1 } as const

/**
 * Entries by reference, published or not. The account must be read first: an entry is published before it leaves the
 * account, so that this order misses none.
 */
export async function findEntries(
  tables: Collections,
  account: Pick<AccountDocument, '_id' | 'seq' | 'bal' | 'out'>,
  refs: readonly string[],
  scope: ReadScope,
): Promise<ReadonlyMap<string, Found>> {
  const found = new Map<string, Found>()
  for (const entry of numbered(account)) if (refs.includes(entry.ref)) found.set(entry.ref, entry)
  const missing = refs.filter((ref) => !found.has(ref))
  if (missing.length === 0) return found
  const published = await tables.entries.many({ acct: account._id, ref: op({ $in: missing }) }, FOUND, {}, scope)
  for (const entry of published) found.set(entry.ref, entry)
  return found
}

/** Accounts with entries that are not published yet. */
export async function unpublished({ accounts }: Pick<Collections, 'accounts'>): Promise<AccountDocument[]> {
  return await accounts.many({ 'out.0': op({ $exists: true }), pub: op({ $exists: true }) }, JOURNAL)
}
