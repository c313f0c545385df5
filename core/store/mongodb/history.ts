import type { CallFilter, CallRow } from '../port.js'
import { dayNumber } from '../day.js'
import { op, type Operator, type Plain } from './filter.js'
import type { MongoDeps } from './deps.js'
import { isCall, rowParts } from './rollup.js'
import type { EntryDocument, UsageDocument } from './documents.js'
import { JOURNAL, numbered, type Numbered } from './snapshot.js'
import { trimmedBefore } from './trims.js'

type Call = Pick<EntryDocument, 'ref' | 'amt' | 'at' | 'facts'>
type Series = ReturnType<typeof rowParts>

const CALL = { ref: 1, amt: 1, at: 1, facts: 1 } as const
const DAY_MS = 86_400_000

function isWanted({ endpoint, capabilities }: CallFilter, series: Series): boolean {
  const place = endpoint === undefined || series.endpoint === endpoint || series.capability === endpoint
  return place && (capabilities === undefined || capabilities.includes(series.capability))
}

function isListed(filter: CallFilter, entry: Numbered): boolean {
  return isCall(entry) && entry.facts !== null && isWanted(filter, entry.facts) && entry.at >= (filter.since ?? -Infinity)
}

/** The published calls of one account that a filter asks for. */
class Published {
  readonly #where: Record<string, Plain | Operator>
  readonly #days: readonly UsageDocument[]
  readonly #filter: CallFilter
  readonly isEmpty: boolean

  /** What an account called, and when, is known from its days: so the journal is searched by capability, or not at all. */
  constructor(filter: CallFilter, days: readonly UsageDocument[], upTo: number) {
    this.#filter = filter
    this.#days = days
    const series = days.flatMap(({ rows }) => Object.keys(rows).map(rowParts)).filter((one) => isWanted(filter, one))
    this.isEmpty = series.length === 0
    this.#where = { acct: filter.account, kind: op({ $in: ['charge', 'release'] }), facts: op({ $ne: null }), seq: op({ $lte: upTo }) }
    if (filter.since !== undefined) this.#where['at'] = op({ $gte: filter.since })
    if (filter.endpoint === undefined && filter.capabilities === undefined) return
    this.#where['facts.capability'] = op({ $in: [...new Set(series.map((one) => one.capability))] })
    this.#where['facts.endpoint'] = op({ $in: [...new Set(series.map((one) => one.endpoint))] })
  }

  get where(): Readonly<Record<string, Plain | Operator>> {
    return this.#where
  }

  /** The day that `since` lies in, whose calls must be counted one by one; null without one. */
  get cutDay(): number | null {
    return this.#filter.since === undefined ? null : dayNumber(this.#filter.since)
  }

  /** Calls of the cut day only. */
  get cut(): Readonly<Record<string, Plain | Operator>> {
    const { since = 0 } = this.#filter
    return { ...this.#where, at: op({ $gte: since, $lt: (dayNumber(since) + 1) * DAY_MS }) }
  }

  /** Calls of whole days as they are counted, with those of the account's tail that are not counted yet. */
  countWhole(tail: readonly Numbered[]): number {
    const applied = new Map(this.#days.map((day) => [day.day, day.applied]))
    const counted = this.#days
      .filter(({ day }) => day !== this.cutDay)
      .flatMap(({ rows }) => Object.entries(rows))
      .filter(([name]) => isWanted(this.#filter, rowParts(name)))
      .reduce((sum, [, { calls }]) => sum + calls, 0)
    return counted + tail.filter(({ at, seq }) => dayNumber(at) === this.cutDay || seq > (applied.get(dayNumber(at)) ?? 0)).length
  }
}

/** Calls, newest first: the account's unpublished entries, then what is published below them. */
export function history({ tables }: MongoDeps) {
  const { accounts, entries, usage } = tables

  /** A refunded call shows no credits; the refund may be published or not. */
  const rowsOf = async (filter: CallFilter, calls: readonly Call[], tail: readonly Numbered[]): Promise<CallRow[]> => {
    const refunds = new Map<string, number>()
    const refs = calls.filter(({ amt }) => amt !== 0).map(({ ref }) => `rf:${ref}`)
    const published = refs.length === 0 ? [] : await entries.many({ acct: filter.account, ref: op({ $in: refs }) }, { ref: 1, amt: 1 })
    for (const { ref, amt } of [...published, ...tail]) refunds.set(ref, amt)
    return calls.flatMap(({ ref: id, amt, at, facts }) =>
      facts === null ? [] : [{ id, facts, credits_used: 0 - amt - (refunds.get(`rf:${id}`) ?? 0), created_at: at }],
    )
  }

  return {
    calls: async (asked: CallFilter): Promise<{ rows: CallRow[]; total: number }> => {
      const [account, trimmed] = await Promise.all([accounts.one({ _id: asked.account }, JOURNAL), trimmedBefore({ tables })])
      if (account === null) return { rows: [], total: 0 }
      const filter = trimmed === null ? asked : { ...asked, since: Math.max(asked.since ?? trimmed, trimmed) }
      const tail = numbered(account)
      const listed = tail.filter((entry) => isListed(filter, entry)).reverse()
      const since = filter.since === undefined ? {} : { day: op({ $gte: dayNumber(filter.since) }) }
      const days = await usage.many({ acct: filter.account, ...since })
      const published = new Published(filter, days, account.seq - tail.length)
      const cut = published.cutDay === null || published.isEmpty ? 0 : await entries.count(published.cut)
      const total = published.countWhole(listed) + cut
      const unpublished = listed.slice(filter.offset, filter.offset + filter.limit)
      const limit = filter.limit - unpublished.length
      const skip = Math.max(0, filter.offset - listed.length)
      const none = limit === 0 || published.isEmpty || total <= filter.offset
      const rest = none ? [] : await entries.many(published.where, CALL, { sort: { seq: -1 }, skip, limit })
      return { rows: await rowsOf(filter, [...unpublished, ...rest], tail), total }
    },
  }
}
