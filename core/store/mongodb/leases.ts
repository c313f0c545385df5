import { op } from './filter.js'
import type { MongoDeps } from './deps.js'
import { gatewaysAlive, gatewaysDead } from './gateways.js'

export interface LeaseDeps extends MongoDeps {
  /** Reads the server's time. */
  readonly measure: () => Promise<void>
}

/** Leases of gateway instances, by the server's clock. */
export function leases({ tables, clock, deliveries, publisher, measure }: LeaseDeps) {
  const { gateways: table, accounts } = tables

  /** Publishes the instance's entries; true when none is left unpublished. */
  const published = async (instance: string): Promise<boolean> => {
    const found = await accounts.many({ 'out.own': instance }, { _id: 1 })
    return (await publisher.attempt(found.map(({ _id }) => _id))).size === 0
  }

  return {
    renew: async (instance: string, now: number, ttlMs: number): Promise<void> => {
      await measure()
      const update = { $set: { expires: clock.correct(now) + ttlMs }, $unset: { ended: 1 }, $setOnInsert: { rev: 0, upto: 0, open: [] } }
      await table.bulk([{ filter: { _id: instance }, update, upsert: true }])
    },

    end: async (instance: string): Promise<boolean> => {
      const settled = await deliveries.close(instance)
      const ended = settled && (await published(instance))
      const none = { _id: instance, 'open.0': op({ $exists: false }) }
      if (ended && (await table.update(none, { $set: { ended: true }, $unset: { expires: 1 } }))) return true
      return !(await table.update({ _id: instance, expires: op({ $exists: true }) }, { $min: { expires: Math.floor(clock.now()) } }))
    },

    /** One command when this instance holds the lease already, else two. */
    take: async (name: string, instance: string, now: number, ttlMs: number): Promise<boolean> => {
      const _id = `lease:${name}`
      const at = clock.correct(now)
      const taken = { $set: { own: instance, expires: at + ttlMs } }
      if (await table.update({ _id, own: instance }, taken)) return true
      const { duplicates } = await table.bulk([{ filter: { _id, expires: op({ $lte: at }) }, update: taken, upsert: true }])
      return duplicates.length === 0
    },

    live: async (now: number): Promise<string[]> => await gatewaysAlive(tables, clock.correct(now)),
    dead: async (now: number): Promise<string[]> => await gatewaysDead(tables, clock.correct(now)),
  }
}
