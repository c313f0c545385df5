/**
 * What the gateway asks of a database: ledger commands, not queries. Each command is one atomic step of the adapter.
 * All calls are asynchronous; amounts are integers in thousandths of a credit; times are Unix milliseconds.
 * Any method rejects with StoreUnavailable when the outcome is unknown or the database is out of reach.
 */

import type { AccountStore, KeyStore } from './ports/accounts.js'
import type { ArtifactStore } from './ports/artifacts.js'
import type { HistoryStore } from './ports/history.js'
import type { IdempotencyStore } from './ports/idempotency.js'
import type { LedgerStore } from './ports/ledger.js'
import type { LeaseStore, SettingsStore } from './ports/settings.js'

export * from './ports/accounts.js'
export * from './ports/artifacts.js'
export * from './ports/history.js'
export * from './ports/idempotency.js'
export * from './ports/ledger.js'
export * from './ports/money.js'
export * from './ports/settings.js'

export interface Store {
  readonly ledger: LedgerStore
  readonly accounts: AccountStore
  readonly keys: KeyStore
  readonly idempotency: IdempotencyStore
  readonly history: HistoryStore
  readonly leases: LeaseStore
  readonly settings: SettingsStore
  readonly artifacts: ArtifactStore
  /** Several gateways may use it at once; otherwise this one is alone, and whoever came before it is gone. */
  readonly shared: boolean
  /** One line for the operator: what it is and what it promises. */
  describe(): Promise<string>
  ping(): Promise<void>
  /** Bytes of the write-ahead log beside the ledger's file; throws when the file system does not say. Absent where a server keeps the ledger. */
  logBytes?(): number
  /** Where an embedded ledger lies, and whether it takes nothing new for want of room. Absent where a server keeps the ledger. */
  readonly disk?: { readonly folder: string; full(): boolean }
  /** Writes a consistent copy while running. */
  backup(target: string): Promise<{ bytes: number }>
  close(): Promise<void>
}

/** The database is out of reach, or the outcome of a command is unknown. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  /** False when the command certainly was not carried out: no server was found, or the database refused it. Nothing has to be undone then. */
  readonly sent: boolean
  /** The disk has no room left: the database answers, and begins nothing new. */
  readonly full: boolean

  constructor(message: string, options: ErrorOptions & { readonly sent?: boolean; readonly full?: boolean } = {}) {
    super(message, options)
    this.sent = options.sent ?? true
    this.full = options.full ?? false
  }
}
