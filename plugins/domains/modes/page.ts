import { Fault } from '../../../core/sdk/index.js'
import type { DomainsAnswer } from '../contract.js'

/** Entries per page. */
const PAGE = 50

/** The answer of a mode; omitted lists are empty. */
export type Answer = Partial<Pick<DomainsAnswer, 'names' | 'domains' | 'extensions'>> & Pick<DomainsAnswer, 'total' | 'offset' | 'limit'>

/** The page of a list that starts at `offset`. Throws `missing` when it has no entry. */
export function pageOf<T>(all: readonly T[], offset: number, limit = PAGE): { page: readonly T[]; total: number; limit: number } {
  const page = all.slice(offset, offset + limit)
  if (page.length === 0) throw new Fault('missing', `There are ${String(all.length)} entries, and none from place ${String(offset)} on.`)
  return { page, total: all.length, limit }
}
