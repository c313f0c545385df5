import type { Balance } from '../types.js'
import type { AccountDocument, EntryDocument, OutField } from './documents.js'

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
