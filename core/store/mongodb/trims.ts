import { op, type Operator } from './filter.js'
import type { MongoDeps } from './deps.js'

/** Entries one trim takes. */
const AT_ONCE = 500

const FACTS = { _id: 'facts' } as const

/** The time before which entries were trimmed or are being trimmed, Unix ms; null when none ever was. */
export async function trimmedBefore({ tables: { retention } }: Pick<MongoDeps, 'tables'>): Promise<number | null> {
  return (await retention.one(FACTS))?.before ?? null
}

/** Takes off old entries what they say of their calls. What an account has not published yet is left alone. */
export function trims({ tables: { entries, retention } }: MongoDeps) {
  const note = async (before: number): Promise<void> => {
    const raise = { $max: { before } }
    if (await retention.update(FACTS, raise)) return
    if (!(await retention.insert({ ...FACTS, before }))) await retention.update(FACTS, raise)
  }

  return {
    trim: async ({ before }: { before: number }): Promise<number> => {
      await note(before)
      // The second condition is the one of the index.
      const old = { at: op({ $lt: before }), 'facts.endpoint': op({ $exists: true }) }
      const found = await entries.many(old, { acct: 1, seq: 1 }, { sort: { at: 1 }, limit: AT_ONCE })
      const numbers = new Map<string, number[]>()
      for (const { acct, seq } of found) numbers.set(acct, [...(numbers.get(acct) ?? []), seq])
      const told: Operator = op({ $ne: null })
      const { matched } = await entries.bulk(
        [...numbers].map(([acct, seqs]) => ({
          filter: { acct, seq: op({ $in: seqs }), facts: told },
          update: { $set: { facts: null } },
          many: true,
        })),
      )
      return matched
    },
  }
}
