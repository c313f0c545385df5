import type { Collections } from './collections.js'
import { op } from './filter.js'
import type { AccountDocument } from './documents.js'
import type { Fields } from './table.js'

/** Accounts per page. */
const PAGE = 500

/** Pages of accounts with open holds, oldest account first, each account once. */
export async function* openAccounts(
  { accounts }: Pick<Collections, 'accounts'>,
  fields: Fields,
): AsyncGenerator<readonly AccountDocument[]> {
  let last = -Infinity
  let ties = new Set<string>()
  for (let limit = PAGE; ;) {
    const range = Number.isFinite(last) ? { created_at: op({ $gte: last }) } : {}
    const where = { open: op({ $gt: 0 }), ...range }
    const found = await accounts.many(where, { ...fields, created_at: 1 }, { sort: { created_at: 1 }, hint: 'with_open_holds', limit })
    const fresh = found.filter(({ _id }) => !ties.has(_id))
    if (fresh.length > 0) yield fresh
    const end = found.at(-1)
    if (end === undefined || found.length < limit) return
    // More accounts share one `created_at` than fit a page: a larger page gets past those already seen.
    if (fresh.length === 0) limit *= 2
    const same = found.filter(({ created_at }) => created_at === end.created_at).map(({ _id }) => _id)
    ties = end.created_at === last ? new Set([...ties, ...same]) : new Set(same)
    last = end.created_at
  }
}
