import type { Log, LogEventName } from '../runtime/log-events.js'
import type { AccountStore, KeyStore } from './ports/accounts.js'
import type { HistoryStore, LedgerStore } from './ports/ledger.js'
import type { IdempotencyStore } from './ports/idempotency.js'

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
export * from './ports/idempotency.js'
export * from './ports/ledger.js'

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

/** Background work that failed and will be retried. */
interface FailedWork {
  readonly event: LogEventName
  readonly message: string
  readonly error: unknown
  readonly fields?: Readonly<Record<string, unknown>>
}

/** Logs failed work under its event; while the database is away, which `store-away` reports, as `store-work-failed`. */
export function logFailedWork(log: Log, { event, message, error, fields = {} }: FailedWork): void {
  log(error instanceof StoreUnavailable ? 'store-work-failed' : event, message, { ...fields, error: String(error) })
}

export interface ArtifactRecord {
  readonly id: string
  readonly account: string
  readonly name: string
  readonly content_type: string
  /** Bytes counted against the quota: the file's own, at least a minimum per file. */
  readonly size: number
  readonly created_at: number
  readonly expires_at: number
}

export interface ArtifactGrowth {
  readonly id: string
  readonly account: string
  readonly bytes: number
  readonly quota: number
  /** Unix milliseconds. */
  readonly now: number
}

export interface ArtifactStore {
  /** Reserves quota in one step; false when the account would exceed it. */
  reserve(artifact: ArtifactRecord, quota: number): Promise<boolean>
  /**
   * Reserves further bytes for an artifact being written, in one conditional step; false, with nothing changed, when
   * the account would exceed its quota or the artifact is gone.
   */
  grow(growth: ArtifactGrowth): Promise<boolean>
  /** Sets the size of a written artifact. */
  settle(id: string, size: number): Promise<void>
  get(id: string): Promise<ArtifactRecord | null>
  remove(id: string): Promise<void>
  expired(now: number, limit: number): Promise<ArtifactRecord[]>
  used(account: string): Promise<number>
}

export interface LeaseStore {
  renew(instance: string, now: number, ttlMs: number): Promise<void>
  /**
   * Ends the lease when the instance stops. False when work of it is still unpublished or undelivered: the lease then
   * expires instead, and a sweeper finishes the work.
   */
  end(instance: string): Promise<boolean>
  /** True when this instance holds the named lease. It only avoids duplicate work: two holders must be harmless. */
  take(name: string, instance: string, now: number, ttlMs: number): Promise<boolean>
  /** Instances whose lease has not expired. */
  live(now: number): Promise<string[]>
  /** Instances whose lease expired without being ended: the sweeper settles their calls. */
  dead(now: number): Promise<string[]>
}

export interface AuditEntry {
  readonly at: number
  readonly actor: string
  readonly action: string
  readonly target: string
  readonly detail: Readonly<Record<string, unknown>>
}

export interface SettingsStore {
  /** Values kept for all replicas: waterfall orders, the link secret, the admin token's hash. */
  get(name: string): Promise<string | null>
  list(prefix: string): Promise<{ name: string; value: string }[]>
  put(name: string, value: string): Promise<void>
  /** Writes only when absent; returns the stored value: several gateways may start at once. */
  putIfAbsent(name: string, value: string): Promise<string>
  delete(name: string): Promise<boolean>
  /** Changes with every put and delete, so that a replica can detect changes cheaply. */
  version(): Promise<number>
  audit(entry: AuditEntry): Promise<void>
  auditLog(page: { limit: number; offset: number }): Promise<AuditEntry[]>
}
