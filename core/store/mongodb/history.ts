import type { CallFilter, CallRow } from '../types.js'
import { dayNumber } from '../day.js'
import { CallPages, type PublishedCall } from './call-pages.js'
import { op } from './filter.js'
import type { MongoDeps } from './deps.js'
import { isWanted, PublishedCalls } from './published-calls.js'
import { isCall } from './rollup.js'
import { JOURNAL, numbered, type Numbered } from './snapshot.js'
import { trimmedBefore } from './trims.js'

type Call = Pick<PublishedCall, 'ref' | 'amt' | 'at' | 'facts'>

function isListed(filter: CallFilter, entry: Numbered): boolean {
  return isCall(entry) && entry.facts !== null && isWanted(filter, entry.facts) && entry.at >= (filter.since ?? -Infinity)
}

/** Calls, newest first: the account's unpublished entries, then the published ones. */
export function history({ tables }: MongoDeps) {
  const { accounts, entries, usage } = tables
  const pages = new CallPages(tables)

  /** A refunded call shows 0 credits, whether its refund is published or not. */
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
