import { type AuditEntry, StoreRefused } from '../types.js'
import { escaped, op, plainText, unescaped } from './filter.js'
import type { MongoDeps } from './deps.js'
import { SCHEMA_VERSION } from './schemas.js'
import { storedRecord } from '../stored.js'

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
