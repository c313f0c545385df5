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
