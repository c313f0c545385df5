import type { Context } from 'mocha'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { auditLedger } from '../../scripts/capstan/audit/ledger.js'
import { auditMongo } from '../../scripts/capstan/audit/mongodb.js'
import { openMongoStore } from '../../core/store/mongodb/store.js'
import type { Store } from '../../core/store/types.js'
import { openSqliteStore } from '../../core/store/sqlite/store.js'
import { inMemory } from './memory-folder.js'
import { needsMongo, temporaryMongo } from './mongodb.js'

/** An empty store, with the auditor that belongs to it. */
export interface AuditedStore {
  readonly store: Store
  /** Problems that the auditor finds; `now` in Unix ms. */
  audit(now: number): Promise<string[]>
  /** Closes the store and takes its data away. */
  end(): Promise<void>
}

/** A kind of store that tests run over. */
export interface StoreBench {
  readonly name: string
  /** Skips where this machine has no such database. */
  needs(context: Context): Promise<void>
  open(): Promise<AuditedStore>
}

async function openSqlite(): Promise<AuditedStore> {
  const folder = mkdtempSync(join(inMemory(), 'capstan-bench-'))
  const file = join(folder, 'ledger.db')
  const store = await openSqliteStore({ file, thread: 'same' })
  const end = async () => {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { store, audit: async (now) => auditLedger({ file, now }).problems, end }
}

async function openMongo(): Promise<AuditedStore> {
  const temporary = await temporaryMongo()
  const { uri } = temporary
  const store = await openMongoStore({ uri })
  const end = async () => {
    await store.close()
    await temporary.drop()
  }
  return { store, audit: async (now) => (await auditMongo({ uri, now })).problems, end }
}

export const SQLITE: StoreBench = { name: 'SQLite', needs: async () => undefined, open: openSqlite }
export const MONGODB: StoreBench = { name: 'MongoDB', needs: needsMongo, open: openMongo }
