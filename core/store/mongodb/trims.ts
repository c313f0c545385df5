import { dayNumber } from '../day.js'
import { op, type Operator } from './filter.js'
import type { MongoDeps } from './deps.js'

/** Details one trim takes. */
const AT_ONCE = 2000

/** Refused calls are counted for so many days more than calls have details. */
const REFUSED_DAYS = 400

/** Entries with inline facts one trim takes: each is an update. */
const INLINE_AT_ONCE = 500

const FACTS = { _id: 'facts' } as const

/** The time before which details were trimmed or are being trimmed, Unix ms; null when none ever was. */
export async function trimmedBefore({ tables: { retention } }: Pick<MongoDeps, 'tables'>): Promise<number | null> {
  return (await retention.one(FACTS))?.before ?? null
}

/** Deletes old details of calls, and takes the facts off old entries that an earlier version published. What an account has not published yet is left alone. */
export function trims({ tables: { details, entries, refused, retention } }: MongoDeps) {
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

  const trimInline = async (before: number): Promise<number> => {
    // The second condition is the one of the index.
    const old = { at: op({ $lt: before }), 'facts.endpoint': op({ $exists: true }) }
    const found = await entries.many(old, { acct: 1, seq: 1 }, { sort: { at: 1 }, limit: INLINE_AT_ONCE })
    const numbers = new Map<string, number[]>()
    for (const { acct, seq } of found) numbers.set(acct, [...(numbers.get(acct) ?? []), seq])
    const present: Operator = op({ $ne: null })
    const { matched } = await entries.bulk(
      [...numbers].map(([acct, seqs]) => ({
        filter: { acct, seq: op({ $in: seqs }), facts: present },
        update: { $set: { facts: null } },
        many: true,
      })),
    )
    return matched
  }

  return {
    trim: async ({ before }: { before: number }): Promise<number> => {
      await note(before)
      const deleted = await trimDetails(before)
      // One kind at a time: the whole of a trim is bounded.
      if (deleted > 0) return deleted
      const muted = await trimInline(before)
      return muted > 0 ? muted : await trimRefused(before)
    },
  }
}
