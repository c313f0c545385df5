import type { Balance, Milli } from './ledger.js'

export interface AccountRecord extends Balance {
  readonly id: string
  readonly name: string
  readonly created_at: number
  readonly overage: Milli
  readonly open: number
  readonly disabled: boolean
  /** Open holds allowed, null for the default. */
  readonly max_open: number | null
  /** Revocation epoch. */
  readonly auth: number
}

export interface AccountStore {
  /** Creates an account, or returns the one with this id (several gateways may start at once). */
  create(request: { id: string; name: string; now: number }): Promise<AccountRecord>
  get(id: string): Promise<AccountRecord | null>
  byName(name: string): Promise<AccountRecord | null>
  list(page: { limit: number; offset: number }): Promise<AccountRecord[]>
  patch(id: string, change: { disabled?: boolean; max_open?: number | null; name?: string }): Promise<AccountRecord | null>
}

export interface KeyRecord {
  readonly id: string
  readonly account: string
  readonly name: string
  /** SHA-256 of the whole key, hex. */
  readonly hash: string
  readonly prefix: string
  readonly rate_limit_per_minute: number
  readonly created_at: number
  readonly last_used_at: number | null
  readonly expires_at: number | null
  readonly revoked_at: number | null
  /** Null allows everything. */
  readonly scopes: readonly string[] | null
  readonly credit_limit: Milli | null
  readonly credit_limit_per_day: Milli | null
  readonly allowed_ips: readonly string[] | null
  readonly credits_used: Milli
  /** Spending caps of its calls: its own or that of the key it was rotated from, and those of capped ancestors. */
  readonly caps: readonly string[]
}

/** A key to create. Without `caps`, a key with a limit gets a cap of its own. */
export type NewKey = Omit<KeyRecord, 'last_used_at' | 'revoked_at' | 'credits_used' | 'caps'> & { readonly caps?: readonly string[] }

export interface KeyPage {
  readonly keys: KeyRecord[]
  /** Keys on all pages. */
  readonly total: number
}

export interface KeyStore {
  /**
   * Refuses with `too-many-capped` beyond 200 caps per account and with `too-many` beyond `most` active keys.
   * `replaces` names the key that this one was rotated from, which is no longer counted. Idempotent.
   */
  create(
    key: NewKey,
    options?: { readonly most?: number; readonly replaces?: string },
  ): Promise<{ ok: true } | { ok: false; why: 'too-many-capped' | 'too-many' | 'absent' }>
  /**
   * A key with its account's state, found by hash; revoked and expired keys too. `account` is the key's account when
   * known: it never changes, and saves a store that reads the two separately one lookup.
   */
  find(hash: string, account?: string): Promise<{ key: KeyRecord; account: AccountRecord } | null>
  /** One key of this account; null for a key of another account. */
  get(account: string, id: string): Promise<KeyRecord | null>
  /** Active keys, oldest first. */
  list(account: string, page: { readonly now: number; readonly limit: number; readonly offset: number }): Promise<KeyPage>
  /** Revokes a key and raises the account's epoch. Idempotent. Null when the key is not of this account. */
  revoke(account: string, id: string, now: number): Promise<KeyRecord | null>
  /** Shortens the life of a key (rotation with overlap) and raises the epoch when it ends now. */
  expire(account: string, id: string, at: number): Promise<KeyRecord | null>
  touch(uses: readonly { id: string; at: number }[]): Promise<void>
}
