import type { Collections } from './collections.js'
import type { Facts } from '../types.js'
import { Positions, type Position } from './positions.js'
import type { PublishedCalls } from './published-calls.js'

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

/** Up to this many calls are skipped by the query of the page itself. */
const SHALLOW = 1000

/** Most calls newer than a stored position that are worth counting. */
const MOST_NEWER = 10_000

/** Reads pages of published calls, newest first. */
export class CallPages {
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
