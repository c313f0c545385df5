import type { Balance, Facts } from '../types.js'
import type { AccountDocument, EntryDocument, OutField } from './documents.js'
import type { Collections } from './collections.js'
import { op } from './filter.js'
import type { ReadScope } from './table.js'

type Money = Pick<AccountDocument, 'bal' | 'held' | 'avail'>

/** Fields of an account that `balanceOf` needs. */
export const MONEY = { bal: 1, held: 1, avail: 1 } as const

/** Fields of an account that `numbered` needs. */
export const JOURNAL = { seq: 1, bal: 1, out: 1 } as const

/** The same without facts: what is needed to find entries and to count what keys spent. */
export const SLIM_JOURNAL = { seq: 1, bal: 1, 'out.ref': 1, 'out.kind': 1, 'out.amt': 1, 'out.key': 1, 'out.cap': 1 } as const

export function balanceOf({ bal, held, avail }: Money): Balance {
  return { balance: bal, held, available: avail }
}

/** An unpublished entry with its number and the balance after it. */
export type Numbered = OutField & Pick<EntryDocument, 'seq' | 'after'>

/** The unpublished entries, oldest first, numbered by position; each balance is computed back from the account's. */
export function numbered({ seq, bal, out }: Pick<AccountDocument, 'seq' | 'bal' | 'out'>): Numbered[] {
  let after = bal
  const found: Numbered[] = []
  for (const [back, entry] of out.toReversed().entries()) {
    found.push({ ...entry, seq: seq - back, after })
    after -= entry.amt
  }
  return found.reverse()
}

/** An entry found by its reference. A published one has `call` and no facts, an unpublished one facts and no `call`. */
export type FoundDocument = Pick<EntryDocument, 'ref' | 'kind' | 'amt' | 'seq' | 'key' | 'cap' | 'caps' | 'call'> & {
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
): Promise<ReadonlyMap<string, FoundDocument>> {
  const found = new Map<string, FoundDocument>()
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
