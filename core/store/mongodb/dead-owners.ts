import { sumOver, type SweepRequest } from './sweep-request.js'
import { idOf, op } from './filter.js'
import type { MongoDeps } from './deps.js'
import type { EntryDocument } from './documents.js'
import type { posts } from './posts.js'
import { PUBLISH_BATCH } from './publisher.js'

/** Charges per page. */
const PAGE = 500

/** Refunds of one owner in one sweep; the next sweep continues. */
const MOST = 2000

/** Accounts of an owner that cannot be published are skipped, up to this many in one sweep. */
const MOST_FAILED = 1000

const CHARGE = { acct: 1, ref: 1, n: 1 } as const

type Charge = Pick<EntryDocument, 'acct' | 'ref' | 'n'>

interface SettledOwner {
  readonly refunded: number
  readonly ended: boolean
}

/** Refunds the unsettled charges of gateways that have ended. */
export function deadOwners(deps: MongoDeps, { refund }: Pick<ReturnType<typeof posts>, 'refund'>) {
  const { accounts, entries, gateways } = deps.tables

  /** Publishes the owner's entries; true when all are in the journal, where its charges can be found. */
  const publishAll = async (owner: string): Promise<boolean> => {
    const failed: string[] = []
    while (failed.length < MOST_FAILED) {
      const others = failed.length === 0 ? {} : { _id: op({ $nin: failed }) }
      const found = await accounts.many({ 'out.own': owner, ...others }, { _id: 1 }, { limit: PUBLISH_BATCH })
      failed.push(...(await deps.publisher.attempt(found.map(({ _id }) => _id))).keys())
      if (found.length < PUBLISH_BATCH) break
    }
    return failed.length === 0
  }

  /** The charges not yet refunded. */
  const stillLost = async (found: readonly Charge[]): Promise<Charge[]> => {
    if (found.length === 0) return []
    const refs = { acct: op({ $in: [...new Set(found.map(({ acct }) => acct))] }), ref: op({ $in: found.map(({ ref }) => `rf:${ref}`) }) }
    const refunds = await entries.many(refs, { acct: 1, ref: 1 })
    const refunded = new Set(refunds.map(({ acct, ref }) => idOf(acct, ref)))
    return found.filter(({ acct, ref }) => !refunded.has(idOf(acct, `rf:${ref}`)))
  }

  const refundAll = async (lost: readonly Charge[], { owner, now }: SweepRequest): Promise<number> => {
    const reason = 'gateway ended before the answer was delivered'
    const refunded = await sumOver(lost, async ({ acct: account, ref: hold }) => {
      const result = await refund({ account, hold, reason, owner, now })
      return result.ok && result.applied ? 1 : 0
    })
    // `stillLost` of the next sweep finds refunds in the journal only.
    await deps.publisher.attempt([...new Set(lost.map(({ acct }) => acct))])
    return refunded
  }

  /** Refunds lost charges page by page; `all` when none is left. */
  const refundPages = async (
    pages: AsyncIterable<readonly Charge[]>,
    request: SweepRequest,
  ): Promise<{ refunded: number; all: boolean }> => {
    let refunded = 0
    for await (const page of pages) {
      refunded += await refundAll(await stillLost(page), request)
      if (refunded >= MOST) return { refunded, all: false }
    }
    return { refunded, all: true }
  }

  /** Charges that their owner's document does not mark as settled. */
  async function* unsettled(own: string, upto: number, open: readonly number[]): AsyncGenerator<readonly Charge[]> {
    for (let at = 0; at < open.length; at += PAGE)
      yield await entries.many({ own, n: op({ $in: open.slice(at, at + PAGE) }), delivered: null }, CHARGE)
    for (let last = upto; ;) {
      const found = await entries.many({ own, n: op({ $gt: last }), delivered: null }, CHARGE, { sort: { own: 1, n: 1 }, limit: PAGE })
      yield found
      if (found.length < PAGE) return
      last = found.at(-1)?.n ?? last
    }
  }

  return {
    /** Refunds a gateway's undelivered charges and ends it when none is left, unless it has renewed its lease. */
    settleOwner: async (owner: string, request: SweepRequest): Promise<SettledOwner> => {
      const published = await publishAll(owner)
      const found = await gateways.one({ _id: owner }, { expires: 1, upto: 1, open: 1, late: 1 })
      if ((found?.expires ?? 0) > request.now) return { refunded: 0, ended: false }
      const { refunded, all } = await refundPages(unsettled(owner, found?.upto ?? 0, found?.open ?? []), request)
      if (!published || !all) return { refunded, ended: false }
      // A charge published after this read is left to another sweep.
      const over = { _id: owner, expires: op({ $lte: request.now }), late: found?.late ?? null }
      return { refunded, ended: await gateways.update(over, { $set: { ended: true }, $unset: { expires: 1 } }) }
    },

    /** Owners that may have left charges or entries, except `spared`. */
    ownersExcept: async (spared: ReadonlySet<string>): Promise<string[]> => {
      const known = (await gateways.many({ expires: op({ $exists: true }), own: op({ $exists: false }) }, { _id: 1 })).map(({ _id }) => _id)
      const charging = await entries.distinct('own', { n: op({ $exists: true }) })
      const entering = await accounts.distinct('out.own', { 'out.own': op({ $exists: true }) })
      return [...new Set([...known, ...charging, ...entering])].filter((owner) => !spared.has(owner))
    },
  }
}
