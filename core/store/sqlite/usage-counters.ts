import type { Facts, Milli } from '../types.js'
import type { Database } from './database.js'
import { dayNumber } from '../rules.js'

interface CountedSeries {
  readonly id: number
  n: number
  /** `n` as stored in the database. */
  stored: number
}

interface Usage {
  readonly acct: number
  readonly day: number
  readonly series: number
  calls: number
  errors: number
  credits: Milli
}

/** What an entry adds to the counts of its day. */
interface CountedEntry {
  readonly acct: number
  readonly at: number
  readonly isCall: boolean
  /** Signed, as the entry has it. */
  readonly amount: Milli
  readonly facts: Facts
}

/** Numbers of calls by endpoint and capability, and daily usage, counted within one transaction. */
export class UsageCounters {
  readonly #series = new Map<string, CountedSeries>()
  readonly #grown = new Set<CountedSeries>()
  readonly #usage = new Map<string, Usage>()
  readonly #findSeries
  readonly #startSeries
  readonly #writeSeries
  readonly #writeUsage

  constructor(db: Database) {
    this.#findSeries = db.query<CountedSeries>('select id, n, n stored from series where acct = ? and endpoint = ? and capability = ?')
    this.#startSeries = db.query('insert into series (acct, endpoint, capability) values (?, ?, ?)')
    this.#writeSeries = db.query('update series set n = ? where id = ? and n = ?')
    this.#writeUsage = db.query(
      `insert into usage (acct, day, series, calls, errors, credits) values (?, ?, ?, ?, ?, ?)
       on conflict (acct, day, series) do update set calls = calls + excluded.calls, errors = errors + excluded.errors, credits = credits + excluded.credits`,
    )
  }

  /** Counts an entry in its day and assigns a call its number within its series. */
  count(entry: CountedEntry): { series: number; nth: number | null } {
    const { acct, isCall, facts, amount } = entry
    const series = this.#seriesOf(acct, facts)
    const usage = this.#usageOf(acct, dayNumber(entry.at), series.id)
    usage.credits -= amount
    if (!isCall) return { series: series.id, nth: null }
    usage.calls += 1
    if (facts.error !== null) usage.errors += 1
    series.n += 1
    this.#grown.add(series)
    return { series: series.id, nth: series.n }
  }

  write(): void {
    for (const series of this.#grown) {
      if (this.#writeSeries.run(series.n, series.id, series.stored) !== 1)
        throw new Error('a series changed after it was read: nothing was written')
      series.stored = series.n
    }
    for (const { acct, day, series, calls, errors, credits } of this.#usage.values())
      this.#writeUsage.run(acct, day, series, calls, errors, credits)
    this.#grown.clear()
    this.#usage.clear()
  }

  forget(): void {
    this.#series.clear()
    this.#grown.clear()
    this.#usage.clear()
  }

  #seriesOf(acct: number, { endpoint, capability }: Facts): CountedSeries {
    const name = `${acct} ${endpoint} ${capability}`
    const known = this.#series.get(name)
    if (known !== undefined) return known
    const place = [acct, endpoint, capability]
    let series = this.#findSeries.get(...place)
    if (series === undefined) {
      this.#startSeries.run(...place)
      series = this.#findSeries.get(...place)
    }
    if (series === undefined) throw new Error('the series of an entry was not counted')
    this.#series.set(name, series)
    return series
  }

  #usageOf(acct: number, day: number, series: number): Usage {
    const name = `${day} ${series}`
    const known = this.#usage.get(name)
    if (known !== undefined) return known
    const usage = { acct, day, series, calls: 0, errors: 0, credits: 0 }
    this.#usage.set(name, usage)
    return usage
  }
}
