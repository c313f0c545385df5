import { op } from './filter.js'
import type { MongoDeps } from './deps.js'

/** Leases of gateway instances. */
export function leases({ tables: { leases: table } }: MongoDeps) {
  const instances = async (filter: Parameters<typeof table.many>[0]): Promise<string[]> =>
    (await table.many(filter, { _id: 1 }, { sort: { _id: 1 } })).map((lease) => lease._id)

  return {
    renew: async (instance: string, now: number, ttlMs: number): Promise<void> => {
      await table.bulk([{ filter: { _id: instance }, update: { $set: { expires: now + ttlMs } }, upsert: true }])
    },
    end: async (instance: string): Promise<boolean> => {
      await table.remove({ _id: instance })
      return true
    },
    take: (): Promise<boolean> => Promise.resolve(true),
    live: (now: number): Promise<string[]> => instances({ expires: op({ $gt: now }) }),
    dead: (now: number): Promise<string[]> => instances({ expires: op({ $lte: now }) }),
  }
}
