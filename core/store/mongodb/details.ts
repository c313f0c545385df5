import { createHash } from 'node:crypto'
import type { Facts } from '../types.js'
import type { Collections } from './collections.js'
import type { CallField, DetailsDocument, EntryDocument } from './documents.js'
import { op } from './filter.js'
import type { ReadScope } from './table.js'

/** What tells where the details of an entry are. */
type Detailed = Pick<EntryDocument, 'seq' | 'facts' | 'call'>

/** `_id` of the details of an entry: in order of the numbers of an account. */
function detailsId(acct: string, seq: number): string {
  return `${acct} ${String(seq).padStart(16, '0')}`
}

/** What an entry keeps of its call for ever. The digest binds the details to it: the first 32 digits of the SHA-256 of the facts as JSON. */
function callOf(facts: Facts): CallField {
  const digest = createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 32)
  return { endpoint: facts.endpoint, capability: facts.capability, failed: facts.error !== null, digest }
}

/**
 * Parts numbered entries into what is chained and kept for ever and what may be trimmed, in the same order. The details must be written
 * first: whoever sees an entry then finds its details, unless they were trimmed.
 */
export function splitDetails(entries: readonly EntryDocument[]): {
  readonly entries: readonly EntryDocument[]
  readonly details: readonly DetailsDocument[]
} {
  const details: DetailsDocument[] = []
  const kept = entries.map((entry) => {
    const { acct, seq, ref, amt, at, facts } = entry
    if (facts === null) return entry
    // A refund carries the facts of the call that it gives back, but is none, so that no list of calls may find it.
    const factsOf = entry.kind === 'refund' ? { of: facts } : { facts }
    details.push({ _id: detailsId(acct, seq), acct, seq, ref, amt, at, ...factsOf })
    return { ...entry, facts: null, call: callOf(facts) }
  })
  return { entries: kept, details }
}

/** The facts of one published entry; null when it is of no call or they were trimmed. Rejects with StoreUnavailable. */
export async function factsOf(tables: Collections, acct: string, entry: Detailed, scope: ReadScope = {}): Promise<Facts | null> {
  if (entry.facts !== null || entry.call === undefined) return entry.facts
  const found = await tables.details.one({ _id: detailsId(acct, entry.seq) }, {}, scope)
  return found?.facts ?? found?.of ?? null
}

/** Entries of one account with their facts where there are any, in the same order. Rejects with StoreUnavailable. */
export async function withFacts<T extends Detailed>(tables: Collections, acct: string, entries: readonly T[]): Promise<T[]> {
  const apart = entries.filter(({ facts, call }) => facts === null && call !== undefined)
  if (apart.length === 0) return [...entries]
  const found = await tables.details.many({ _id: op({ $in: apart.map(({ seq }) => detailsId(acct, seq)) }) }, { seq: 1, facts: 1, of: 1 })
  const factsOf = new Map(found.map(({ seq, facts, of }) => [seq, facts ?? of ?? null]))
  return entries.map((entry) => ({ ...entry, facts: entry.facts ?? factsOf.get(entry.seq) ?? null }))
}
