import type { Clock } from '../runtime/clock.js'
import { toCredits } from '../store/amount.js'
import type { CallRow, HistoryStore, UsageRow } from '../store/types.js'

const DAY_MS = 86_400_000

interface CallsQuery {
  readonly endpoint?: string | undefined
  readonly days?: number | undefined
  readonly limit: number
  readonly offset: number
  /** Ids of a product's capabilities; null for all. */
  readonly capabilities: ReadonlySet<string> | null
}

/** Calls and statistics of an account, in the shapes of the API. */
export class History {
  readonly #store: HistoryStore
  readonly #clock: Clock

  readonly #startedAt: { readonly now: number; readonly monotonic: number }

  constructor(store: HistoryStore, clock: Clock) {
    this.#store = store
    this.#clock = clock
    this.#startedAt = { now: clock.now(), monotonic: clock.monotonic() }
  }

  /** Start of counting days back, in Unix milliseconds: a clock that is set back must not include earlier calls. */
  #now(): number {
    const { now, monotonic } = this.#startedAt
    return Math.max(this.#clock.now(), now + this.#clock.monotonic() - monotonic)
  }

  /** A page of calls, newest first. */
  async calls(account: string, query: CallsQuery) {
    const { rows, total } = await this.#store.calls({
      account,
      limit: query.limit,
      offset: query.offset,
      ...(query.endpoint === undefined ? {} : { endpoint: query.endpoint }),
      ...(query.days === undefined ? {} : { since: this.#now() - query.days * DAY_MS }),
      ...(query.capabilities === null ? {} : { capabilities: [...query.capabilities] }),
    })
    return { calls: rows.map(format), total, limit: query.limit, offset: query.offset }
  }

  /** Calls, credits and errors of the last days, by day (empty days too) and by endpoint. Days are UTC. */
  async stats(account: string | null, days: number, capabilities: ReadonlySet<string> | null) {
    const dates = Array.from({ length: days }, (_, index) => new Date(this.#now() - (days - 1 - index) * DAY_MS).toISOString().slice(0, 10))
    const rows = await this.#store.usage({
      sinceDay: dates[0] ?? '',
      ...(account === null ? {} : { account }),
      ...(capabilities === null ? {} : { capabilities: [...capabilities] }),
    })
    const total = sum(rows)
    return {
      days,
      totals: { calls: total.calls, successes: total.calls - total.errors, errors: total.errors, credits: total.credits },
      by_day: dates.map((date) => ({ date, ...sum(rows.filter((row) => row.day === date)) })),
      by_endpoint: groups(rows).map((group) => ({
        endpoint: group[0]?.endpoint ?? '',
        capability: group[0]?.capability ?? '',
        ...sum(group),
      })),
    }
  }
}

function sum(rows: readonly UsageRow[]): { calls: number; credits: number; errors: number } {
  const milli = rows.reduce((all, row) => all + row.credits, 0)
  return {
    calls: rows.reduce((all, row) => all + row.calls, 0),
    credits: toCredits(milli),
    errors: rows.reduce((all, row) => all + row.errors, 0),
  }
}

function format({ id, facts, credits_used, created_at }: CallRow) {
  return {
    id,
    endpoint: facts.endpoint,
    capability: facts.capability,
    product: facts.product,
    mode: facts.mode,
    status: facts.status,
    success: facts.error === null,
    credits_used: toCredits(credits_used),
    provider_used: facts.provider_used,
    providers_tried: facts.providers_tried,
    response_time_ms: facts.ms,
    error_type: facts.error,
    key_id: facts.key_id,
    request_id: facts.request_id,
    created_at: new Date(created_at).toISOString(),
    via: facts.via ?? null,
    aborted: facts.aborted === true,
  }
}

function groups(rows: readonly UsageRow[]): UsageRow[][] {
  const byEndpoint = new Map<string, UsageRow[]>()
  for (const row of rows) {
    const group = byEndpoint.get(row.endpoint)
    if (group === undefined) byEndpoint.set(row.endpoint, [row])
    else group.push(row)
  }
  return [...byEndpoint.values()]
}
