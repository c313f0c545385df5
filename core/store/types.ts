import type { AccountStore, KeyStore } from './ports/accounts.js'
import type { ArtifactStore } from './ports/artifacts.js'
import type { HistoryStore } from './ports/history.js'
import type { IdempotencyStore } from './ports/idempotency.js'
import type { LedgerStore } from './ports/ledger.js'
import type { LeaseStore, SettingsStore } from './ports/settings.js'

/** The store cannot be used as it is; the message is one line for the operator. */
export class StoreRefused extends Error {
  override readonly name = 'StoreRefused'
}

/**
 * What the gateway needs from a database: ledger commands, not queries. Each command is one atomic step of the adapter.
 * All calls are asynchronous; amounts are integers in thousandths of a credit; times are Unix milliseconds.
 * Any method rejects with StoreUnavailable when the outcome is unknown or the database is unreachable.
 */

export * from './ports/accounts.js'
export * from './ports/artifacts.js'
export * from './ports/history.js'
export * from './ports/idempotency.js'
export * from './ports/ledger.js'
export * from './ports/ledger.js'
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
  /** True when several gateways may use it at once; otherwise all earlier gateways have ended. */
  readonly shared: boolean
  /** One line for the operator: the database and its durability. */
  describe(): Promise<string>
  ping(): Promise<void>
  /** Bytes of the write-ahead log; throws when the file system does not report it. Absent with a database server. */
  logBytes?(): number
  /** Folder of an embedded ledger, and whether a full disk makes it refuse new work. Absent with a database server. */
  readonly disk?: { readonly folder: string; full(): boolean }
  /** Writes a consistent copy while running. */
  backup(target: string): Promise<{ bytes: number }>
  close(): Promise<void>
}

/** The database is unreachable, or the outcome of a command is unknown. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  /** False when the command was certainly not carried out: nothing needs to be undone. */
  readonly sent: boolean
  /** The disk is full: the database answers, but accepts nothing new. */
  readonly full: boolean

  constructor(message: string, options: ErrorOptions & { readonly sent?: boolean; readonly full?: boolean } = {}) {
    super(message, options)
    this.sent = options.sent ?? true
    this.full = options.full ?? false
  }
}
