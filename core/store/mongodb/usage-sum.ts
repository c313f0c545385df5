import type { UsageRow } from '../types.js'
import { dayNumber, dayText } from '../day.js'
import { idOf } from './filter.js'
import { countOf, rowParts } from './rollup.js'
import type { RefusedDocument, UsageCount, UsageDocument } from './documents.js'
import type { Numbered } from './snapshot.js'

interface Place {
  readonly day: number
  readonly endpoint: string
  readonly capability: string
}

/** Sums usage by day and endpoint: counted days, entries not counted yet, and calls refused before a hold. */
export class UsageSum {
  readonly #rows = new Map<string, Place & { calls: number; errors: number; credits: number }>()
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

  #add(place: Place, count: UsageCount): void {
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
