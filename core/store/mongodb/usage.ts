import type { RefusedRow, UsageRow } from '../types.js'
import { dayOfText } from '../day.js'
import { escaped, idOf, op, type Filter } from './filter.js'
import { unpublished } from './journal.js'
import type { MongoDeps } from './deps.js'
import { JOURNAL, numbered } from './snapshot.js'
import type { Table } from './table.js'
import { UsageSum } from './usage-sum.js'

interface UsageFilter {
  readonly account?: string
  readonly sinceDay: string
  readonly capabilities?: readonly string[]
}

/** Documents per page when the usage of all accounts is read. */
const PAGE = 1000

/** Calls `use` with each document that matches, a page of them in memory at a time. */
async function each<T extends { readonly _id: string }>(table: Table<T>, filter: Filter, use: (document: T) => void): Promise<void> {
  for (let last = ''; ;) {
    const page = await table.many({ ...filter, _id: op({ $gt: last }) }, {}, { sort: { _id: 1 }, limit: PAGE })
    for (const document of page) use(document)
    const end = page.at(-1)
    if (end === undefined || page.length < PAGE) return
    last = end._id
  }
}

/** Daily usage, and the counters of refused calls. */
export function usage({ tables }: MongoDeps) {
  const { accounts, refused, usage: days } = tables

  return {
    /** Reads the unpublished entries first: entries counted in the meantime are then seen in the days and skipped. */
    usage: async (filter: UsageFilter): Promise<UsageRow[]> => {
      const since = dayOfText(filter.sinceDay)
      const { account } = filter
      const owners = account === undefined ? await unpublished(tables) : await accounts.many({ _id: account }, JOURNAL)
      if (account !== undefined && owners.length === 0) return []
      const sum = new UsageSum()
      const range: Filter = { ...(account === undefined ? {} : { acct: account }), day: op({ $gte: since }) }
      await each(days, range, (day) => sum.addDay(day))
      await each(refused, range, (row) => sum.addRefused(row))
      for (const owner of owners) sum.addTail(owner._id, since, numbered(owner))
      return sum.rows(filter.capabilities)
    },

    /** Absolute counts: a repeated or late message changes nothing. Unknown accounts are left out. */
    refused: async (rows: readonly RefusedRow[]): Promise<void> => {
      const ids = [...new Set(rows.map((row) => row.account))]
      const known = new Set((await accounts.many({ _id: op({ $in: ids }) }, { _id: 1 })).map((account) => account._id))
      const changes = rows
        .filter((row) => known.has(row.account))
        .map(({ account: acct, day: text, instance, endpoint, capability, status, count }) => {
          const day = dayOfText(text)
          const place = { acct, day, endpoint, capability, status }
          const filter = { _id: idOf(acct, day, endpoint, capability, status) }
          return { filter, update: { $max: { [`counts.${escaped(instance)}`]: count }, $setOnInsert: place }, upsert: true } as const
        })
      const { duplicates } = await refused.bulk(changes)
      // Two instances may create a document at once: it exists now.
      await refused.bulk(changes.filter((_, index) => duplicates.includes(index)))
    },
  }
}
