import { storedRecord } from '../stored.js'
import { type AuditEntry, StoreRefused } from '../types.js'
import type { MongoDeps } from './deps.js'
import { escaped, op, plainText, unescaped } from './filter.js'
import { gatewaysAlive, gatewaysDead } from './gateways.js'
import { SCHEMA_VERSION } from './schemas.js'

/** The one document with all settings, so that a value and the version change in one step. */
const ALL = { _id: 'settings' } as const

/** Creates the settings document unless it exists. */
export async function makeSettings({ tables: { settings } }: Pick<MongoDeps, 'tables'>): Promise<void> {
  await settings.insert({ ...ALL, schema: SCHEMA_VERSION, version: 0, values: {} })
}

/** Throws StoreRefused for a ledger of another schema version, before anything in it is changed. */
export async function refuseOtherSchema({ tables: { settings } }: Pick<MongoDeps, 'tables'>): Promise<void> {
  const found = await settings.one(ALL, { schema: 1 })
  if (found === null || found.schema === SCHEMA_VERSION) return
  const [version, remedy] =
    found.schema > SCHEMA_VERSION
      ? [`schema version ${found.schema}`, 'update capstan']
      : ['the schema of a version before the first release', 'name another database']
  throw new StoreRefused(
    `the database the store setting (CAPSTAN_STORE) names has ${version}, this version of capstan supports ${SCHEMA_VERSION}: ${remedy}; nothing was changed`,
  )
}

/** Settings with a version that rises on every change, and the operator's audit log. */
export function settings({ tables: { settings: table, audit: log } }: MongoDeps) {
  const path = (name: string): string => `values.${escaped(plainText(name, 'the name of a setting'))}`
  const get = async (name: string): Promise<string | null> => {
    const found = await table.one(ALL, { [path(name)]: 1 })
    return found?.values[escaped(name)] ?? null
  }

  return {
    get,

    list: async (prefix: string): Promise<{ name: string; value: string }[]> => {
      const values = (await table.one(ALL, { values: 1 }))?.values ?? {}
      const all = Object.entries(values).map(([name, value]) => ({ name: unescaped(name), value }))
      return all.filter(({ name }) => name.startsWith(prefix)).sort((a, b) => (a.name < b.name ? -1 : 1))
    },

    put: async (name: string, value: string): Promise<void> => {
      await table.update(ALL, { $set: { [path(name)]: plainText(value, name) }, $inc: { version: 1 } })
    },

    putIfAbsent: async (name: string, value: string): Promise<string> => {
      const first = await table.update(
        { ...ALL, [path(name)]: op({ $exists: false }) },
        { $set: { [path(name)]: plainText(value, name) }, $inc: { version: 1 } },
      )
      return first ? value : ((await get(name)) ?? value)
    },

    delete: (name: string): Promise<boolean> =>
      table.update({ ...ALL, [path(name)]: op({ $exists: true }) }, { $unset: { [path(name)]: 1 }, $inc: { version: 1 } }),

    version: async (): Promise<number> => (await table.one(ALL, { version: 1 }))?.version ?? 0,

    audit: async ({ at, actor, action, target, detail }: AuditEntry): Promise<void> => {
      await log.insert({ at, actor, action, target, detail: JSON.stringify(detail) })
    },

    auditLog: async ({ limit, offset }: { limit: number; offset: number }): Promise<AuditEntry[]> => {
      const found = await log.many({}, {}, { sort: { at: -1, _id: -1 }, skip: offset, limit })
      return found.map(({ at, actor, action, target, detail }) => ({
        at,
        actor,
        action,
        target,
        detail: storedRecord(detail),
      }))
    },
  }
}

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
