import { isAbsolute, join } from 'node:path'
import type { Clock } from '../runtime/clock.js'
import type { Log } from '../runtime/log-events.js'
import { type Store, StoreRefused } from './types.js'
import { openSqliteStore, type SqliteOptions } from './sqlite/store.js'

interface OpenOptions extends Omit<SqliteOptions, 'file'> {
  /** Receives the loss and return of a database server. */
  readonly log?: Log
  readonly clock?: Clock
}

/**
 * Opens the store that a setting names: `sqlite:{path}`, relative to the data folder, or `mongodb://…`, whose library
 * is loaded only then. Rejects with StoreRefused, one line for the operator, and with StoreUnavailable when a server is
 * unreachable.
 */
export async function openStore(setting: string, dataFolder: string, options: OpenOptions): Promise<Store> {
  const { log, clock, ...sqlite } = options
  const file = ledgerFile(setting, dataFolder)
  if (file !== null) return await openFile({ ...sqlite, file })
  if (!/^mongodb(\+srv)?:/.test(setting))
    throw new StoreRefused('the store setting (CAPSTAN_STORE) is not valid: use sqlite:{path} or mongodb://…')
  const { openMongoStore } = await import('./mongodb/store.js')
  return await openMongoStore({
    uri: setting,
    ...(log === undefined ? {} : { log }),
    ...(clock === undefined ? {} : { clock }),
  })
}

/** The file that `sqlite:{path}` names, relative to the data folder; null for a setting that names no file. */
export function ledgerFile(setting: string, dataFolder: string): string | null {
  const path = /^sqlite:(.+)$/.exec(setting)?.[1]
  if (path === undefined) return null
  return isAbsolute(path) ? path : join(dataFolder, path)
}

async function openFile(options: SqliteOptions): Promise<Store> {
  try {
    return await openSqliteStore(options)
  } catch (error) {
    throw error instanceof StoreRefused ? new StoreRefused(`the store setting (CAPSTAN_STORE): ${error.message}`, { cause: error }) : error
  }
}
