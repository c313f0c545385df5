import type { RefusedRow, UsageRow } from '../types.js'
import { dayNumber, dayOfText, dayText } from '../rules.js'
import { escaped, type Filter, idOf, op } from './filter.js'
import { countOf, rowParts } from './rollup.js'
import type { RefusedDocument, UsageCount, UsageDocument } from './documents.js'
import { JOURNAL, type Numbered, numbered, unpublished } from './journal.js'
import type { MongoDeps } from './deps.js'
import type { Table } from './table.js'

interface UsageGroup {
  readonly day: number
  readonly endpoint: string
  readonly capability: string
}

/** Sums usage by day and endpoint: counted days, entries not counted yet, and calls refused before a hold. */
class UsageTotals {
  readonly #rows = new Map<string, UsageGroup & { calls: number; errors: number; credits: number }>()
  /** Number of the last entry counted, by account and day. */
  readonly #applied = new Map<string, number>()

  addDay({ acct, day, applied, rows }: UsageDocument): void {
    this.#applied.set(idOf(acct, day), applied)
    for (const [name, count] of Object.entries(rows)) this.#add({ day, ...rowParts(name) }, count)
  }

  /** Call after all days of the account were added: entries counted there are skipped. */
  addTail(acct: string, since: number, entries: readonly Numbered[]): void {
    for (const entry of entries) {
      const day = dayNumber(entry.at)
      const count = countOf(entry)
      if (count === null || entry.facts === null || day < since || entry.seq <= (this.#applied.get(idOf(acct, day)) ?? 0)) continue
      this.#add({ day, endpoint: entry.facts.endpoint, capability: entry.facts.capability }, count)
    }
  }

  addRefused({ day, endpoint, capability, counts }: RefusedDocument): void {
    const calls = Object.values(counts).reduce((sum, one) => sum + one, 0)
    this.#add({ day, endpoint, capability }, { calls, errors: calls, credits: 0 })
  }

  /** In order of day, endpoint and capability. */
  rows(capabilities: readonly string[] | undefined): UsageRow[] {
    const wanted = [...this.#rows.values()].filter((row) => capabilities === undefined || capabilities.includes(row.capability))
    wanted.sort((a, b) => a.day - b.day || compare(a.endpoint, b.endpoint) || compare(a.capability, b.capability))
    return wanted.map((row) => ({ ...row, day: dayText(row.day) }))
  }

  #add(place: UsageGroup, count: UsageCount): void {
    const key = idOf(place.day, place.endpoint, place.capability)
    const row = this.#rows.get(key) ?? { ...place, calls: 0, errors: 0, credits: 0 }
    row.calls += count.calls
    row.errors += count.errors
    row.credits += count.credits
    this.#rows.set(key, row)
  }
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

interface UsageFilter {
  readonly account?: string
  readonly sinceDay: string
  readonly capabilities?: readonly string[]
}

/** Documents per page when the usage of all accounts is read. */
const PAGE = 1000

/** Calls `use` with each document that matches, a page of them in memory at a time. */
async function each<T extends { readonly _id: string }>(table: Table<T>, filter: Filter, use: (document: T) => void): Promise<void> {
  for (let last = ''; ;) {
    const page = await table.many({ ...filter, _id: op({ $gt: last }) }, {}, { sort: { _id: 1 }, limit: PAGE })
    for (const document of page) use(document)
    const end = page.at(-1)
    if (end === undefined || page.length < PAGE) return
    last = end._id
  }
}

/** Daily usage, and the counters of refused calls. */
export function usage({ tables }: MongoDeps) {
  const { accounts, refused, usage: days } = tables

  return {
    /** Reads the unpublished entries first: entries counted in the meantime are then seen in the days and skipped. */
    usage: async (filter: UsageFilter): Promise<UsageRow[]> => {
      const since = dayOfText(filter.sinceDay)
      const { account } = filter
      const owners = account === undefined ? await unpublished(tables) : await accounts.many({ _id: account }, JOURNAL)
      if (account !== undefined && owners.length === 0) return []
      const sum = new UsageTotals()
      const range: Filter = { ...(account === undefined ? {} : { acct: account }), day: op({ $gte: since }) }
      await each(days, range, (day) => sum.addDay(day))
      await each(refused, range, (row) => sum.addRefused(row))
      for (const owner of owners) sum.addTail(owner._id, since, numbered(owner))
      return sum.rows(filter.capabilities)
    },

    /** Absolute counts: a repeated or late message changes nothing. Unknown accounts are left out. */
    refused: async (rows: readonly RefusedRow[]): Promise<void> => {
      const ids = [...new Set(rows.map((row) => row.account))]
      const known = new Set((await accounts.many({ _id: op({ $in: ids }) }, { _id: 1 })).map((account) => account._id))
      const changes = rows
        .filter((row) => known.has(row.account))
        .map(({ account: acct, day: text, instance, endpoint, capability, status, count }) => {
          const day = dayOfText(text)
          const place = { acct, day, endpoint, capability, status }
          const filter = { _id: idOf(acct, day, endpoint, capability, status) }
          return { filter, update: { $max: { [`counts.${escaped(instance)}`]: count }, $setOnInsert: place }, upsert: true } as const
        })
      const { duplicates } = await refused.bulk(changes)
      // Two instances may create a document at once: it exists now.
      await refused.bulk(changes.filter((_, index) => duplicates.includes(index)))
    },
  }
}
