import { recentlyUsed } from '../../runtime/recent.js'
import { dayNumber } from '../rules.js'
import type { CallFilter, CallRow, Facts } from '../types.js'
import type { Collections } from './collections.js'
import type { MongoDeps } from './deps.js'
import { op } from './filter.js'
import { JOURNAL, numbered, type Numbered } from './journal.js'
import { isWanted, PublishedCalls } from './published-calls.js'
import { isCall } from './rollup.js'

/** A place in a list of calls, newest first: `above` calls of the list have a number of at least `seq`. */
interface Position {
  readonly seq: number
  readonly above: number
}

interface KnownPositions {
  /** The list was counted up to this number; newer calls come on top. */
  readonly top: number
  readonly positions: readonly Position[]
}

/** Lists remembered, and positions of each. */
const MOST_LISTS = 1000
const MOST_POSITIONS = 8

/** Where recent pages of the call history began and ended, so that the next page needs no count from the top. */
class Positions {
  readonly #lists = recentlyUsed<KnownPositions>(MOST_LISTS)

  /** Up to where the positions of a list were counted; null when none is known. */
  top(list: string): number | null {
    return this.#lists.get(list)?.top ?? null
  }

  /** The nearest position with at most `skip` calls above it, after `newer` calls came on top; null without one. */
  nearest(list: string, skip: number, newer: number): Position | null {
    const fitting = (this.#lists.get(list)?.positions ?? []).filter(({ above }) => above + newer <= skip)
    const best = fitting.reduce<Position | null>((nearest, one) => (nearest === null || one.above > nearest.above ? one : nearest), null)
    return best === null ? null : { seq: best.seq, above: best.above + newer }
  }

  /** Stores positions counted up to `top`. Those of another count are dropped. */
  note(list: string, top: number, positions: readonly Position[]): void {
    const known = this.#lists.get(list)
    const kept = known?.top === top ? known.positions : []
    this.#lists.set(list, { top, positions: [...positions, ...kept].slice(0, MOST_POSITIONS) })
  }
}

/** A published call as the history shows it. */
interface PublishedCall {
  readonly seq: number
  readonly ref: string
  readonly amt: number
  readonly at: number
  readonly facts: Facts | null
}

interface Slice {
  /** Numbers up to this one. */
  readonly most: number
  readonly skip: number
  readonly limit: number
}

const CALL = { _id: 0, seq: 1, ref: 1, amt: 1, at: 1, facts: 1 } as const
const SEQ = { _id: 0, seq: 1, 'facts.capability': 1 } as const
const NEWEST = { seq: -1 } as const

/** Up to this many calls are skipped by the query of the page itself. */
const SHALLOW = 1000

/** Most calls newer than a stored position that are worth counting. */
const MOST_NEWER = 10_000

/** Reads pages of published calls, newest first. */
class CallPages {
  readonly #details: Collections['details']
  readonly #positions = new Positions()
  /** The last running jump of each account. */
  readonly #jumps = new Map<string, Promise<unknown>>()

  constructor({ details }: Pick<Collections, 'details'>) {
    this.#details = details
  }

  /** Number of calls of the day that the filter cuts in two. */
  async countCut(calls: PublishedCalls): Promise<number> {
    const where = calls.cut
    return where === null ? 0 : await this.#details.count(where)
  }

  /** The calls after the first `skip`. */
  async read(calls: PublishedCalls, { skip, limit }: { skip: number; limit: number }): Promise<PublishedCall[]> {
    const near = skip < SHALLOW ? { seq: calls.upTo + 1, above: 0 } : await this.#near(calls, skip)
    const slice =
      near === null
        ? { most: await this.#alone(calls.account, () => this.#seqAt(calls, skip)), skip: 0, limit }
        : { most: near.seq - 1, skip: skip - near.above, limit }
    return this.#noted(calls, skip, await this.#slice(calls, slice))
  }

  #noted(calls: PublishedCalls, skip: number, page: PublishedCall[]): PublishedCall[] {
    const [first, last] = [page[0], page.at(-1)]
    if (first === undefined || last === undefined || skip + page.length < SHALLOW) return page
    const ends = [
      { seq: last.seq, above: skip + page.length },
      { seq: first.seq + 1, above: skip },
    ]
    this.#positions.note(calls.list, calls.upTo, ends)
    return page
  }

  /** A stored position shortly above this page, corrected for newer calls; null without one. */
  async #near(calls: PublishedCalls, skip: number): Promise<Position | null> {
    const top = this.#positions.top(calls.list)
    if (top === null || top > calls.upTo || calls.upTo - top > MOST_NEWER) return null
    const newer = top === calls.upTo ? 0 : await this.#details.count(calls.where(top, calls.upTo))
    // Another request may have stored positions of another count meanwhile.
    if (this.#positions.top(calls.list) !== top) return null
    const near = this.#positions.nearest(calls.list, skip, newer)
    return near === null || skip - near.above > SHALLOW ? null : near
  }

  async #slice(calls: PublishedCalls, { most, skip, limit }: Slice): Promise<PublishedCall[]> {
    const found = await this.#details.many(calls.where(0, most), CALL, { sort: NEWEST, skip, limit })
    return found.map(({ seq, ref, amt, at, facts = null }) => ({ seq, ref, amt, at, facts }))
  }

  /** The number of the call after the first `skip`, from the index alone; 0 when there are fewer. */
  async #seqAt(calls: PublishedCalls, skip: number): Promise<number> {
    const [found] = await this.#details.many(calls.where(0, calls.upTo), SEQ, { sort: NEWEST, skip, limit: 1 })
    return found?.seq ?? 0
  }

  /** One jump at a time for each account. */
  async #alone<R>(account: string, jump: () => Promise<R>): Promise<R> {
    const before = this.#jumps.get(account) ?? Promise.resolve()
    const mine = before.then(jump, jump)
    this.#jumps.set(account, mine)
    try {
      return await mine
    } finally {
      if (this.#jumps.get(account) === mine) this.#jumps.delete(account)
    }
  }
}

type ListedCall = Pick<PublishedCall, 'ref' | 'amt' | 'at' | 'facts'>

function isListed(filter: CallFilter, entry: Numbered): boolean {
  return isCall(entry) && entry.facts !== null && isWanted(filter, entry.facts) && entry.at >= (filter.since ?? -Infinity)
}

/** Calls, newest first: the account's unpublished entries, then the published ones. */
export function history({ tables }: MongoDeps) {
  const { accounts, entries, usage } = tables
  const pages = new CallPages(tables)

  /** A refunded call shows 0 credits, whether its refund is published or not. */
  const rowsOf = async (filter: CallFilter, calls: readonly ListedCall[], tail: readonly Numbered[]): Promise<CallRow[]> => {
    const refunds = new Map<string, number>()
    const refs = calls.filter(({ amt }) => amt !== 0).map(({ ref }) => `rf:${ref}`)
    const published = refs.length === 0 ? [] : await entries.many({ acct: filter.account, ref: op({ $in: refs }) }, { ref: 1, amt: 1 })
    for (const { ref, amt } of [...published, ...tail]) refunds.set(ref, amt)
    return calls.flatMap(({ ref: id, amt, at, facts }) =>
      facts === null ? [] : [{ id, facts, credits_used: 0 - amt - (refunds.get(`rf:${id}`) ?? 0), created_at: at }],
    )
  }

  return {
    calls: async (order: CallFilter): Promise<{ rows: CallRow[]; total: number }> => {
      const [account, trimmed] = await Promise.all([accounts.one({ _id: order.account }, JOURNAL), trimmedBefore({ tables })])
      if (account === null) return { rows: [], total: 0 }
      const filter = trimmed === null ? order : { ...order, since: Math.max(order.since ?? trimmed, trimmed) }
      const tail = numbered(account)
      const listed = tail.filter((entry) => isListed(filter, entry)).reverse()
      const since = filter.since === undefined ? {} : { day: op({ $gte: dayNumber(filter.since) }) }
      const days = await usage.many({ acct: filter.account, ...since })
      const published = new PublishedCalls(filter, days, account.seq - tail.length)
      const total = published.countWhole(listed) + (await pages.countCut(published))
      const unpublished = listed.slice(filter.offset, filter.offset + filter.limit)
      const limit = filter.limit - unpublished.length
      const skip = Math.max(0, filter.offset - listed.length)
      const none = limit === 0 || published.isEmpty || total <= filter.offset
      const rest = none ? [] : await pages.read(published, { skip, limit })
      return { rows: await rowsOf(filter, [...unpublished, ...rest], tail), total }
    },
  }
}

/** Details that one trim deletes. */
const AT_ONCE = 2000

/** Counts of refused calls are kept this many days longer than details of calls. */
const REFUSED_DAYS = 400

const FACTS = { _id: 'facts' } as const

/** The time before which details were or are being trimmed, Unix ms; null before the first trim. */
async function trimmedBefore({ tables: { retention } }: Pick<MongoDeps, 'tables'>): Promise<number | null> {
  return (await retention.one(FACTS))?.before ?? null
}

/** Deletes old details of calls, then old counts of refused calls. Unpublished entries are not touched. */
export function trims({ tables: { details, refused, retention } }: MongoDeps) {
  const note = async (before: number): Promise<void> => {
    const raise = { $max: { before } }
    if (await retention.update(FACTS, raise)) return
    if (!(await retention.insert({ ...FACTS, before }))) await retention.update(FACTS, raise)
  }

  const trimDetails = async (before: number): Promise<number> => {
    const [last] = await details.many({ at: op({ $lt: before }) }, { _id: 0, at: 1 }, { sort: { at: 1 }, skip: AT_ONCE - 1, limit: 1 })
    return await details.remove({ at: op(last === undefined ? { $lt: before } : { $lte: last.at }) })
  }

  /** A day at a time, the oldest first. */
  const trimRefused = async (before: number): Promise<number> => {
    const [oldest] = await refused.many({ day: op({ $lt: dayNumber(before) - REFUSED_DAYS }) }, { day: 1 }, { sort: { day: 1 }, limit: 1 })
    return oldest === undefined ? 0 : await refused.remove({ day: oldest.day })
  }

  return {
    trim: async ({ before }: { before: number }): Promise<number> => {
      await note(before)
      const deleted = await trimDetails(before)
      // One kind at a time, so that a trim is bounded.
      return deleted > 0 ? deleted : await trimRefused(before)
    },
  }
}
