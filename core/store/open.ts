import { isAbsolute, join } from 'node:path'
import type { Store } from './port.js'
import { StoreRefused } from './sqlite/migrate.js'
import { openSqliteStore, type SqliteOptions } from './sqlite/store.js'

/** Opens the store a setting names: `sqlite:{path}`, relative to the data folder. Rejects with StoreRefused, one line for the operator. */
export async function openStore(setting: string, dataFolder: string, options: Omit<SqliteOptions, 'file'>): Promise<Store> {
  const path = /^sqlite:(.+)$/.exec(setting)?.[1]
  if (path !== undefined) return openSqliteStore({ ...options, file: isAbsolute(path) ? path : join(dataFolder, path) })
  if (/^mongodb(\+srv)?:/.test(setting))
    throw new StoreRefused('the store setting names mongodb://, whose adapter is not part of this version: use sqlite:{path}')
  throw new StoreRefused(`the store setting is not understood: use sqlite:{path}, for example sqlite:capstan.db`)
}
