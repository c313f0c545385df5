import type { CallFilter } from '../types.js'
import { dayNumber } from '../rules.js'
import { idOf, op, type Operator, type Plain } from './filter.js'
import { rowParts } from './rollup.js'
import type { UsageDocument } from './documents.js'
import type { Numbered } from './journal.js'

type Where = Readonly<Record<string, Plain | Operator>>

const DAY_MS = 86_400_000

/** True when a filter matches calls of this endpoint and capability. */
export function isWanted({ endpoint, capabilities }: CallFilter, row: ReturnType<typeof rowParts>): boolean {
  const place = endpoint === undefined || row.endpoint === endpoint || row.capability === endpoint
  return place && (capabilities === undefined || capabilities.includes(row.capability))
}

/** The published calls of one account that a filter matches: how to find and count them. */
export class PublishedCalls {
  readonly #filter: CallFilter
  readonly #days: readonly UsageDocument[]
  readonly #where: Where
  /** Number of the last published entry when the account was read. */
  readonly upTo: number
  readonly isEmpty: boolean

  /** The daily usage names the called capabilities: calls are found by capability in the index, or not queried. */
  constructor(filter: CallFilter, days: readonly UsageDocument[], upTo: number) {
    this.#filter = filter
    this.#days = days
    this.upTo = upTo
    const rows = days.flatMap((day) => Object.keys(day.rows).map(rowParts)).filter((row) => isWanted(filter, row))
    this.isEmpty = rows.length === 0
    const where: Record<string, Plain | Operator> = {
      acct: filter.account,
      'facts.capability': op({ $in: [...new Set(rows.map((row) => row.capability))] }),
    }
    if (filter.since !== undefined) where['at'] = op({ $gte: filter.since })
    if (rows.some((row) => row.endpoint === filter.endpoint))
      where['facts.endpoint'] = op({ $in: [...new Set(rows.map((row) => row.endpoint))] })
    this.#where = where
  }

  get account(): string {
    return this.#filter.account
  }

  /** A key shared by all requests that page through the same list. */
  get list(): string {
    const { account, endpoint = null, capabilities, since = null } = this.#filter
    return idOf(account, endpoint ?? '', endpoint === null ? 0 : 1, since ?? '', ...(capabilities?.toSorted() ?? [0]))
  }

  /** Matches calls numbered above `above` and up to `most`. */
  where(above: number, most: number): Where {
    return { ...this.#where, seq: op({ $gt: above, $lte: most }) }
  }

  /** Matches calls of the day that `since` is in, which must be counted one by one; null without `since`. */
  get cut(): Where | null {
    const { since } = this.#filter
    if (since === undefined || this.isEmpty) return null
    return { ...this.where(0, this.upTo), at: op({ $gte: since, $lt: (dayNumber(since) + 1) * DAY_MS }) }
  }

  /** Number of calls: those counted in whole days, plus those of the account's tail that are not counted yet. */
  countWhole(tail: readonly Numbered[]): number {
    const { since } = this.#filter
    const cutDay = since === undefined ? null : dayNumber(since)
    const applied = new Map(this.#days.map((day) => [day.day, day.applied]))
    const counted = this.#days
      .filter(({ day }) => day !== cutDay)
      .flatMap(({ rows }) => Object.entries(rows))
      .filter(([name]) => isWanted(this.#filter, rowParts(name)))
      .reduce((sum, [, { calls }]) => sum + calls, 0)
    return counted + tail.filter(({ at, seq }) => dayNumber(at) === cutDay || seq > (applied.get(dayNumber(at)) ?? 0)).length
  }
}
