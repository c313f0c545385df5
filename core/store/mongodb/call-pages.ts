import type { Collections } from './collections.js'
import { op } from './filter.js'
import type { Facts } from '../types.js'
import { Positions, type Position } from './positions.js'
import type { PublishedCalls } from './published-calls.js'
import type { Table } from './table.js'

/** A published call as the history shows it. */
export interface PublishedCall {
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

/** So many calls are skipped with the page itself. */
const SHALLOW = 1000

/** Calls that came on top since a position was noted, and are worth counting. */
const MOST_NEWER = 10_000

/** Reads pages of published calls, newest first, from the details and, while there are any, from entries that an earlier version published. */
export class CallPages {
  readonly #tables: Pick<Collections, 'details' | 'entries'>
  readonly #positions = new Positions()
  /** The last jump of each account that has one under way. */
  readonly #jumps = new Map<string, Promise<unknown>>()

  constructor(tables: Pick<Collections, 'details' | 'entries'>) {
    this.#tables = tables
  }

  /** True when an entry somewhere has its facts inline. */
  async hasInline(): Promise<boolean> {
    const inline = { at: op({ $gte: 0 }), 'facts.endpoint': op({ $exists: true }) }
    return (await this.#tables.entries.many(inline, { _id: 1 }, { limit: 1, hint: 'told' })).length > 0
  }

  /** Calls of the day that the filter cuts in two. */
  async countCut(calls: PublishedCalls, inline: boolean): Promise<number> {
    const where = calls.cut
    if (where === null) return 0
    const { details, entries } = this.#tables
    if (!inline) return await details.count(where)
    let sum = await details.count(where)
    for (let most = calls.upTo; ;) {
      const range = { ...where, kind: op({ $in: ['charge', 'release'] }), seq: op({ $lte: most }) }
      const page = await entries.many(range, { _id: 0, seq: 1 }, { sort: NEWEST, limit: SHALLOW })
      const last = page.at(-1)
      if (last === undefined) return sum
      const both = await details.count({ ...where, seq: op({ $in: page.map(({ seq }) => seq) }) })
      sum += page.length - both
      most = last.seq - 1
    }
  }

  /** The calls behind the first `skip`. */
  async read(calls: PublishedCalls, { skip, limit, inline }: { skip: number; limit: number; inline: boolean }): Promise<PublishedCall[]> {
    const near = skip < SHALLOW ? { seq: calls.upTo + 1, above: 0 } : await this.#near(calls, skip, inline)
    const slice =
      near === null
        ? { most: await this.#alone(calls.account, () => this.#seqAt(calls, skip, inline)), skip: 0, limit }
        : { most: near.seq - 1, skip: skip - near.above, limit }
    return this.#noted(calls, skip, await this.#slice(calls, slice, inline))
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

  /** A position that this page is close below, with what came on top since it was noted counted in. */
  async #near(calls: PublishedCalls, skip: number, inline: boolean): Promise<Position | null> {
    const top = this.#positions.top(calls.list)
    if (top === null || top > calls.upTo || calls.upTo - top > MOST_NEWER || (inline && top < calls.upTo)) return null
    const newer = top === calls.upTo ? 0 : await this.#tables.details.count(calls.where(top, calls.upTo))
    // Another request may have noted others meanwhile, counted up to another number.
    if (this.#positions.top(calls.list) !== top) return null
    const near = this.#positions.nearest(calls.list, skip, newer)
    return near === null || skip - near.above > SHALLOW ? null : near
  }

  async #slice(calls: PublishedCalls, { most, skip, limit }: Slice, inline: boolean): Promise<PublishedCall[]> {
    if (!inline) {
      const found = await this.#tables.details.many(calls.where(0, most), CALL, { sort: NEWEST, skip, limit })
      return found.map(format)
    }
    const both = await this.#merged(calls, { most, skip: 0, limit: skip + limit }, CALL)
    return both.slice(skip, skip + limit)
  }

  /** The newest calls of both places up to a number, each once. */
  async #merged(calls: PublishedCalls, { most, limit }: Slice, fields: typeof CALL | typeof SEQ): Promise<PublishedCall[]> {
    const { details, entries } = this.#tables
    const where = calls.where(0, most)
    const [apart, inline] = await Promise.all([
      details.many(where, fields, { sort: NEWEST, limit }),
      entries.many({ ...where, kind: op({ $in: ['charge', 'release'] }) }, fields, { sort: NEWEST, limit }),
    ])
    const calledBy = new Map([...inline, ...apart].map((call) => [call.seq, format(call)]))
    return [...calledBy.values()].sort((a, b) => b.seq - a.seq).slice(0, limit)
  }

  /** The number of the call behind the first `skip`: the index is walked, its documents are not read. 0 when there are not so many. */
  async #seqAt(calls: PublishedCalls, skip: number, inline: boolean): Promise<number> {
    const { details, entries } = this.#tables
    const where = calls.where(0, calls.upTo)
    if (!inline) return await seqBehind(details, where, skip)
    const old = { ...where, kind: op({ $in: ['charge', 'release'] }) }
    const [[oldest], [newest]] = await Promise.all([
      details.many(where, SEQ, { sort: { seq: 1 }, limit: 1 }),
      entries.many(old, SEQ, { sort: NEWEST, limit: 1 }),
    ])
    if (newest === undefined) return await seqBehind(details, where, skip)
    const above = await details.count(calls.where(newest.seq, calls.upTo))
    if (skip < above) return await seqBehind(details, where, skip)
    // From here down entries of both kinds take turns, until only inline ones are left.
    let rest = skip - above
    for (let most = newest.seq; oldest !== undefined && most >= oldest.seq;) {
      const chunk = (await this.#merged(calls, { most, skip: 0, limit: SHALLOW }, SEQ)).filter(({ seq }) => seq >= oldest.seq)
      const found = chunk[rest]
      if (found !== undefined) return found.seq
      rest -= chunk.length
      most = chunk.length < SHALLOW ? oldest.seq - 1 : (chunk.at(-1)?.seq ?? 0) - 1
    }
    const below = oldest === undefined ? newest.seq : Math.min(newest.seq, oldest.seq - 1)
    return await seqBehind(entries, { ...old, seq: op({ $lte: below }) }, rest)
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

async function seqBehind(
  table: Pick<Table<{ readonly seq: number }>, 'many'>,
  where: Parameters<Table<{ readonly seq: number }>['many']>[0],
  skip: number,
): Promise<number> {
  const [found] = await table.many(where, SEQ, { sort: NEWEST, skip, limit: 1 })
  return found?.seq ?? 0
}

function format({ seq, ref, amt, at, facts }: Omit<PublishedCall, 'facts'> & { readonly facts?: Facts | null }): PublishedCall {
  return { seq, ref, amt, at, facts: facts ?? null }
}
