import { createHash } from 'node:crypto'
import type { Facts } from '../types.js'
import type { Collections } from './collections.js'
import type { CallField, DetailsDocument, EntryDocument, EntryWithFacts } from './documents.js'
import { op } from './filter.js'
import type { ReadScope } from './table.js'

/** `_id` of the details of an entry; sorts by account and number. */
function detailsId(acct: string, seq: number): string {
  return `${acct} ${String(seq).padStart(16, '0')}`
}

/** What an entry keeps of its call; the digest is the first 32 hex digits of the SHA-256 of the facts as JSON. */
function callOf(facts: Facts): CallField {
  const digest = createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 32)
  return { endpoint: facts.endpoint, capability: facts.capability, failed: facts.error !== null, digest }
}

/**
 * Splits numbered entries into what is kept permanently and what may be trimmed, in the same order. The details must be
 * written first: a reader of an entry then finds its details, unless they were trimmed.
 */
export function splitDetails(entries: readonly EntryWithFacts[]): {
  readonly entries: readonly EntryDocument[]
  readonly details: readonly DetailsDocument[]
} {
  const details: DetailsDocument[] = []
  const kept = entries.map(({ facts, ...entry }): EntryDocument => {
    if (facts === null) return entry
    const { acct, seq, ref, amt, at } = entry
    // A refund carries the facts of the refunded call as `of`, so that lists of calls do not find it.
    const factsOf = entry.kind === 'refund' ? { of: facts } : { facts }
    details.push({ _id: detailsId(acct, seq), acct, seq, ref, amt, at, ...factsOf })
    return { ...entry, call: callOf(facts) }
  })
  return { entries: kept, details }
}

/** The facts of a published entry; null when it belongs to no call or they were trimmed. */
export async function factsOf(tables: Collections, acct: string, seq: number, scope: ReadScope = {}): Promise<Facts | null> {
  const found = await tables.details.one({ _id: detailsId(acct, seq) }, {}, scope)
  return found?.facts ?? found?.of ?? null
}

/** Published entries of one account with their facts, null where there are none, in the same order. */
export async function withFacts(tables: Collections, acct: string, entries: readonly EntryDocument[]): Promise<EntryWithFacts[]> {
  const ids = entries.filter(({ call }) => call !== undefined).map(({ seq }) => detailsId(acct, seq))
  const found = ids.length === 0 ? [] : await tables.details.many({ _id: op({ $in: ids }) }, { seq: 1, facts: 1, of: 1 })
  const factsBySeq = new Map(found.map(({ seq, facts, of }) => [seq, facts ?? of ?? null]))
  return entries.map((entry) => ({ ...entry, facts: factsBySeq.get(entry.seq) ?? null }))
}
