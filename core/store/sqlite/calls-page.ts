import type { CallRow, Milli } from '../types.js'
import type { Database, Query } from './database.js'
import { factsOrNull } from '../stored.js'

/** Calls of one endpoint and capability of an account; `n` were made in all. */
export interface Series {
  readonly id: number
  readonly n: number
  readonly endpoint: string
  readonly capability: string
}

interface Row {
  readonly ref: string
  readonly amt: Milli
  readonly refunded: Milli | null
  readonly at: number
  readonly facts: string | null
}

/** Selects calls of an account: those of `series`, between two sequence numbers. */
interface CallRange {
  readonly acct: number
  readonly series: readonly Series[]
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
export function callPages(db: Database) {
  const queries = new Map<number, Query<Row>>()
  const firstNth = db.query<{ nth: number }>(
    'select nth from entries where series = ? and nth is not null and seq >= ? order by seq limit 1',
  )

  /** A call carries its number within its series, so that counting those from a sequence number on is a subtraction. */
  const countOf = ({ id, n }: Series, seq: number): number => {
    if (seq <= 1) return n
    const nth = firstNth.get(id, seq)?.nth
    return nth === undefined ? 0 : n - nth + 1
  }
  const count = (series: readonly Series[], seq: number): number => series.reduce((sum, each) => sum + countOf(each, seq), 0)

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

  const queryOf = (series: number): Query<Row> => {
    const query = queries.get(series) ?? db.query<Row>(pageQuery(series))
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
