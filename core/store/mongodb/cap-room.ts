import type { CapRoom } from '../types.js'
import { dayNumber } from '../day.js'
import type { MongoDeps } from './deps.js'
import { op } from './filter.js'

/** Remaining amounts of spending caps. */
export function capRoom({ tables: { accounts, keys } }: MongoDeps) {
  return {
    capRoom: async (acct: string, ids: readonly string[], now: number): Promise<CapRoom[]> => {
      const [account, made] = await Promise.all([
        accounts.one({ _id: acct }, { caps: 1 }),
        keys.many({ acct, _id: op({ $in: ids }) }, { credit_limit: 1, credit_limit_per_day: 1 }),
      ])
      return made.flatMap(({ _id: id, credit_limit: limit, credit_limit_per_day: daily }): CapRoom[] => {
        const cap = account?.caps[id]
        if (cap === undefined) return []
        const today = cap.day >= dayNumber(now) ? cap.dleft : cap.dlim
        return [
          {
            id,
            total: limit === null ? null : { limit, left: Math.max(0, cap.left) },
            day: daily === null ? null : { limit: daily, left: Math.max(0, today) },
          },
        ]
      })
    },
  }
}
