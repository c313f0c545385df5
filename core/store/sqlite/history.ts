import { dayOfText, dayText } from '../rules.js'
import { factsOrNull } from '../stored.js'
import type { CallFilter, CallRow, Milli, RefusedRow, UsageRow } from '../types.js'
import type { Database, Query } from './database.js'
import type { WriteCache } from './write-cache.js'

/** Calls of one endpoint and capability of an account; `n` were made in all. */
interface EndpointSeries {
  readonly id: number
  readonly n: number
  readonly endpoint: string
  readonly capability: string
}

interface HistoryRow {
  readonly ref: string
  readonly amt: Milli
  readonly refunded: Milli | null
  readonly at: number
  readonly facts: string | null
}

/** Selects calls of an account: those of `series`, between two sequence numbers. */
interface CallRange {
  readonly acct: number
  readonly series: readonly EndpointSeries[]
  /** True when `series` are all of the account. */
  readonly all: boolean
  readonly from: number
  readonly to: number
}

/** Calls up to a sequence number, newest first: one ordered arm per series, merged without sorting. Also for a test. */
export function pageQuery(series: number): string {
  const arm = (column: string) => `select id, seq from entries where ${column} = ? and nth is not null and seq between ? and ?`
  const arms = series === 0 ? arm('acct') : Array.from({ length: series }, () => arm('series')).join(' union all ')
  return `select e.ref, e.amt, r.amt refunded, e.at, c.facts from (${arms} order by seq desc limit ?) p
    join entries e on e.id = p.id left join calls c on c.id = p.id
    left join entries r on r.acct = e.acct and r.ref = 'rf:' || e.ref order by p.seq desc`
}

/** Counts and pages of calls, at a cost independent of the journal's length and the offset. */
function callPages(db: Database) {
  const queries = new Map<number, Query<HistoryRow>>()
  const firstNth = db.query<{ nth: number }>(
    'select nth from entries where series = ? and nth is not null and seq >= ? order by seq limit 1',
  )

  /** A call carries its number within its series, so that counting those from a sequence number on is a subtraction. */
  const countOf = ({ id, n }: EndpointSeries, seq: number): number => {
    if (seq <= 1) return n
    const nth = firstNth.get(id, seq)?.nth
    return nth === undefined ? 0 : n - nth + 1
  }
  const count = (series: readonly EndpointSeries[], seq: number): number => series.reduce((sum, each) => sum + countOf(each, seq), 0)

  /** The sequence number of the call with that many newer ones, by binary search: the count is monotonic. */
  const seqAt = ({ series, from, to }: CallRange, offset: number): number => {
    let low = from
    let high = to
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (count(series, middle) > offset) low = middle
      else high = middle - 1
    }
    return low
  }

  const queryOf = (series: number): Query<HistoryRow> => {
    const query = queries.get(series) ?? db.query<HistoryRow>(pageQuery(series))
    queries.set(series, query)
    return query
  }

  const page = (range: CallRange, { limit, offset }: { limit: number; offset: number }): CallRow[] => {
    const { acct, series, all, from } = range
    const to = offset === 0 ? range.to : seqAt(range, offset)
    const arms = all ? [acct, from, to] : series.flatMap(({ id }) => [id, from, to])
    const rows = queryOf(all ? 0 : series.length).all(...arms, limit)
    return rows.flatMap((row) => {
      const facts = factsOrNull(row.facts)
      return facts === null ? [] : [{ id: row.ref, facts, credits_used: 0 - row.amt - (row.refunded ?? 0), created_at: row.at }]
    })
  }

  return { count, page }
}

type UsageSum = Omit<UsageRow, 'day'> & { readonly day: number }

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
  const seriesOf = db.query<EndpointSeries>('select id, n, endpoint, capability from series where acct = ?')
  const trimmed = db.query<{ value: number }>(`select value from counters where name = 'trimmed'`)
  const timeAt = db.query<{ at: number }>('select at from entries where acct = ? and seq = ?')
  /** Usage by day; the condition is on columns that both tables have. */
  const usageWhere = (where: string): Query<UsageSum> =>
    db.query<UsageSum>(
      `select day, endpoint, capability, sum(calls) calls, sum(errors) errors, sum(credits) credits from (
         select u.day, s.endpoint, s.capability, u.calls, u.errors, u.credits from usage u join series s on s.id = u.series where ${where}
         union all select day, endpoint, capability, count, count, 0 from refused u where ${where}
       ) group by day, endpoint, capability order by day, endpoint, capability`,
    )
  const [usageOf, usageOfAll] = [usageWhere('u.acct = ?1 and u.day >= ?2'), usageWhere('u.day >= ?1')]
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

/** Calls that one trim deletes, so that a command never blocks the writer for long. */
const AT_ONCE = 500
/** Rows read in one step. */
const SCANNED = 2000
/** Rows sampled at even distances to find older rows after ones with a time in the future. */
const SAMPLES = 64

/**
 * Deletes the details of calls older than a time. Rows of `calls` are in order of insertion, nearly that of their
 * times, so that the oldest come first without an index on the time.
 */
export function trims(db: Database, cache: WriteCache) {
  const note = db.query(`update counters set value = max(value, ?) where name = 'trimmed'`)
  const remove = db.query<{ id: number }>(
    `delete from calls where id in (select id from (select id, at from calls where id > ? order by id limit ${SCANNED})
       where at < ? order by id limit ${AT_ONCE}) returning id`,
  )
  const bounds = db.query<{ low: number | null; high: number | null }>(
    'select (select min(id) from calls) low, (select max(id) from calls) high',
  )
  const timeAt = db.query<{ id: number; at: number }>('select id, at from calls where id >= ? order by id limit 1')

  /** Where the walk continues: after the last row it deleted. */
  let position = 0

  const step = (after: number, before: number): number => {
    const gone = remove.all(after, before)
    if (gone.length > 0) position = gone.reduce((last, { id }) => Math.max(last, id), after)
    return gone.length
  }

  /** A position with older rows after it: rows with a wrong time in the future must not stop the walk permanently. */
  const positionBeforeOlder = (before: number): number | null => {
    const { low, high } = bounds.get() ?? {}
    if (low === null || low === undefined || high === null || high === undefined) return null
    const isOlder = (id: number) => (timeAt.get(id)?.at ?? Infinity) < before
    for (let sample = 1; sample <= SAMPLES; sample++) {
      let newer = low + Math.floor(((high - low) * (sample - 1)) / SAMPLES)
      let older = low + Math.floor(((high - low) * sample) / SAMPLES)
      if (!isOlder(older)) continue
      while (older - newer > 1) {
        const middle = Math.floor((newer + older) / 2)
        if (isOlder(middle)) older = middle
        else newer = middle
      }
      return older - 1
    }
    return null
  }

  const trimRows = (before: number): number => {
    const gone = step(position, before) || step(0, before)
    if (gone > 0) return gone
    const start = positionBeforeOlder(before)
    return start === null ? 0 : step(start, before)
  }

  return {
    trim: ({ before }: { before: number }): number => {
      cache.journal.write()
      note.run(before)
      // Deleted content is overwritten with zeros, also when a whole page becomes free.
      db.exec('pragma secure_delete = on')
      try {
        return trimRows(before)
      } finally {
        db.exec('pragma secure_delete = fast')
      }
    },
  }
}
