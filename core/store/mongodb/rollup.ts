import type { Collections } from './collections.js'
import { dayNumber } from '../rules.js'
import { pause, TRIES } from './deadline.js'
import { StoreUnavailable } from '../types.js'
import { escaped, idOf, op, unescaped } from './filter.js'
import type { OutField, UsageCount } from './documents.js'
import type { Numbered } from './journal.js'
import type { Change, Update } from './table.js'

type CountedField = Pick<OutField, 'kind' | 'amt' | 'facts'>

/** True for entries that the history lists. */
export function isCall({ kind, facts }: CountedField): boolean {
  return (kind === 'charge' || kind === 'release') && facts !== null
}

/** What an entry adds to its day; null for one without facts. */
export function countOf(entry: CountedField): UsageCount | null {
  if (entry.facts === null) return null
  const call = isCall(entry)
  return { calls: call ? 1 : 0, errors: call && entry.facts.error !== null ? 1 : 0, credits: 0 - entry.amt }
}

/** Name of a row of a day. */
export function rowName(endpoint: string, capability: string): string {
  return escaped(`${endpoint.replaceAll('%', '%25').replaceAll(' ', '%20')} ${capability}`)
}

/** Endpoint and capability of a row. */
export function rowParts(name: string): { endpoint: string; capability: string } {
  const text = unescaped(name)
  const space = text.indexOf(' ')
  return { endpoint: unescaped(text.slice(0, space)), capability: text.slice(space + 1) }
}

/** Counts published entries in order and stores how far: a day of an account, or a key. */
interface Counter {
  readonly entries: Numbered[]
  readonly filter: Readonly<Record<string, string>>
  readonly change: (entries: readonly Numbered[]) => Update
}

/**
 * Counts the entries of one snapshot of an account in its days and keys, each exactly once however many publishers run.
 * An entry leaves the account only after it was counted, so a counter below the first entry of the snapshot has counted
 * all entries before it and none of it; any other value is read, and what is missing is added by compare-and-set.
 */
export async function roll(tables: Collections, account: string, entries: readonly Numbered[]): Promise<void> {
  const days = dayCounters(account, entries)
  const keys = keyCounters(account, entries)
  const [rolledDays, rolledKeys] = await Promise.all([
    tables.usage.bulk([...days.values()].map((counter) => ({ ...firstChange(counter), upsert: true as const }))),
    tables.keys.bulk([...keys.values()].map(firstChange)),
  ])
  const contended = [...days.values()].filter((_, index) => rolledDays.duplicates.includes(index))
  await Promise.all(contended.map((counter) => catchUp(tables.usage, counter)))
  if (rolledKeys.matched < keys.size) await Promise.all([...keys.values()].map((counter) => catchUp(tables.keys, counter)))
}

function firstChange(counter: Counter): Change {
  const first = counter.entries[0]?.seq ?? 0
  return { filter: { ...counter.filter, applied: op({ $lt: first }) }, update: counter.change(counter.entries) }
}

async function catchUp(table: Collections['usage'] | Collections['keys'], counter: Counter): Promise<void> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const found = await table.one(counter.filter, { applied: 1 })
    if (found === null) return
    const news = counter.entries.filter((entry) => entry.seq > found.applied)
    if (news.length === 0) return
    if (await table.update({ ...counter.filter, applied: found.applied }, counter.change(news))) return
    await pause(attempt)
  }
  throw new StoreUnavailable(`the usage changed under each of ${TRIES} tries to count it`)
}

function dayCounters(account: string, entries: readonly Numbered[]): Map<number, Counter> {
  const counters = new Map<number, Counter>()
  for (const entry of entries) {
    if (entry.facts === null) continue
    const day = dayNumber(entry.at)
    const filter = { _id: idOf(account, day) }
    const counter: Counter = counters.get(day) ?? { entries: [], filter, change: (news) => dayChange(account, day, news) }
    counter.entries.push(entry)
    counters.set(day, counter)
  }
  return counters
}

function dayChange(account: string, day: number, entries: readonly Numbered[]): Update {
  const inc: Record<string, number> = {}
  for (const entry of entries) {
    const count = countOf(entry)
    if (count === null || entry.facts === null) continue
    const row = `rows.${rowName(entry.facts.endpoint, entry.facts.capability)}`
    for (const field of ['calls', 'errors', 'credits'] as const) inc[`${row}.${field}`] = (inc[`${row}.${field}`] ?? 0) + count[field]
  }
  return { $inc: inc, $set: { applied: last(entries) }, $setOnInsert: { acct: account, day } }
}

function keyCounters(account: string, entries: readonly Numbered[]): Map<string, Counter> {
  const counters = new Map<string, Counter>()
  for (const entry of entries) {
    if (entry.key === null || entry.amt === 0) continue
    const counter: Counter = counters.get(entry.key) ?? { entries: [], filter: { _id: entry.key, acct: account }, change: keyChange }
    counter.entries.push(entry)
    counters.set(entry.key, counter)
  }
  return counters
}

function keyChange(entries: readonly Numbered[]): Update {
  return { $inc: { used: spentBy(entries) }, $set: { applied: last(entries) } }
}

/** Amount spent by the entries, less refunds. */
export function spentBy(entries: readonly Pick<OutField, 'amt'>[]): number {
  return entries.reduce((sum, entry) => sum - entry.amt, 0)
}

function last(entries: readonly Numbered[]): number {
  return entries.at(-1)?.seq ?? 0
}
