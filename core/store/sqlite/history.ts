import type { CallFilter, CallRow, Milli, RefusedRow, UsageRow } from '../types.js'
import { callPages, type Series } from './calls-page.js'
import type { Database } from './database.js'
import { dayOfText, dayText } from '../day.js'

interface UsageSum {
  readonly day: number
  readonly endpoint: string
  readonly capability: string
  readonly calls: number
  readonly errors: number
  readonly credits: Milli
}

/** Most calls per page. */
const MAX_PAGE = 1000

/**
 * Calls and usage, at a cost that does not grow with the journal: a call carries its number within its series (account,
 * endpoint, capability), so that counting is a subtraction, and a time is found by binary search, because sequence
 * numbers have no gaps.
 */
export function history(db: Database) {
  const { count, page } = callPages(db)
  const account = db.query<{ n: number; seq: number }>('select n, seq from accounts where id = ?')
  const seriesOf = db.query<Series>('select id, n, endpoint, capability from series where acct = ?')
  const trimmed = db.query<{ value: number }>(`select value from counters where name = 'trimmed'`)
  const timeAt = db.query<{ at: number }>('select at from entries where acct = ? and seq = ?')
  const usageOf = db.query<UsageSum>(
    `select day, endpoint, capability, sum(calls) calls, sum(errors) errors, sum(credits) credits from (
       select u.day, s.endpoint, s.capability, u.calls, u.errors, u.credits from usage u join series s on s.id = u.series where u.acct = ?1 and u.day >= ?2
       union all select day, endpoint, capability, count, count, 0 from refused where acct = ?1 and day >= ?2
     ) group by day, endpoint, capability order by day, endpoint, capability`,
  )
  const usageOfAll = db.query<UsageSum>(
    `select day, endpoint, capability, sum(calls) calls, sum(errors) errors, sum(credits) credits from (
       select u.day, s.endpoint, s.capability, u.calls, u.errors, u.credits from usage u join series s on s.id = u.series where u.day >= ?1
       union all select day, endpoint, capability, count, count, 0 from refused where day >= ?1
     ) group by day, endpoint, capability order by day, endpoint, capability`,
  )
  const refuse = db.query(
    `insert into refused (acct, day, instance, endpoint, capability, status, count) values (?, ?, ?, ?, ?, ?, ?)
     on conflict do update set count = max(count, excluded.count)`,
  )

  /** The first sequence number whose entry is not older than `since`. */
  const seqSince = (acct: number, last: number, since: number): number => {
    let low = 1
    let high = last + 1
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if ((timeAt.get(acct, middle)?.at ?? Infinity) >= since) high = middle
      else low = middle + 1
    }
    return low
  }

  const calls = (filter: CallFilter): { rows: CallRow[]; total: number } => {
    const owner = account.get(filter.account)
    if (owner === undefined) return { rows: [], total: 0 }
    const all = seriesOf.all(owner.n)
    const { endpoint, capabilities } = filter
    const wanted = all.filter(
      (series) =>
        (endpoint === undefined || series.endpoint === endpoint || series.capability === endpoint) &&
        (capabilities === undefined || capabilities.includes(series.capability)),
    )
    const since = Math.max(filter.since ?? 0, trimmed.get()?.value ?? 0)
    const from = since <= 0 ? 1 : seqSince(owner.n, owner.seq, since)
    const total = count(wanted, from)
    if (total <= filter.offset) return { rows: [], total }
    const range = { acct: owner.n, series: wanted, all: wanted.length === all.length, from, to: owner.seq }
    return { rows: page(range, { limit: Math.min(filter.limit, MAX_PAGE), offset: filter.offset }), total }
  }

  const counted = (row: UsageSum): UsageRow => ({ ...row, day: dayText(row.day) })

  return {
    calls,
    usage: (filter: { account?: string; sinceDay: string; capabilities?: readonly string[] }): UsageRow[] => {
      const since = dayOfText(filter.sinceDay)
      const owner = filter.account === undefined ? undefined : account.get(filter.account)
      if (filter.account !== undefined && owner === undefined) return []
      const rows = owner === undefined ? usageOfAll.all(since) : usageOf.all(owner.n, since)
      const wanted = filter.capabilities
      return rows.filter((row) => wanted === undefined || wanted.includes(row.capability)).map(counted)
    },
    refused: (rows: readonly RefusedRow[]): void => {
      for (const row of rows) {
        const owner = account.get(row.account)
        if (owner === undefined) continue
        refuse.run(owner.n, dayOfText(row.day), row.instance, row.endpoint, row.capability, row.status, row.count)
      }
    },
  }
}
