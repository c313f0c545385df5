import { dayNumber } from '../day.js'
import { op } from './filter.js'
import type { MongoDeps } from './deps.js'

/** Details that one trim deletes. */
const AT_ONCE = 2000

/** Counts of refused calls are kept this many days longer than details of calls. */
const REFUSED_DAYS = 400

const FACTS = { _id: 'facts' } as const

/** The time before which details were or are being trimmed, Unix ms; null before the first trim. */
export async function trimmedBefore({ tables: { retention } }: Pick<MongoDeps, 'tables'>): Promise<number | null> {
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
