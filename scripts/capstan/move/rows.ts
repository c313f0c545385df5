/** Rows of the tables of the embedded ledger, each with the id of its account. */

import type { KeyRow as StoredKeyRow } from '../../../core/store/sqlite/keys.js'

export interface AccountRow {
  readonly n: number
  readonly id: string
  readonly name: string
  readonly created_at: number
  readonly bal: number
  readonly over: number
  readonly seq: number
  readonly auth: number
  readonly disabled: number
  readonly max_open: number | null
  readonly stored: number
}

export type KeyRow = StoredKeyRow

export interface CapRow {
  /** The id of the key it was created for. */
  readonly id: string
  readonly credit_limit: number | null
  readonly credit_limit_per_day: number | null
  readonly used: number
  readonly day: number
  /** Used of the cap on that day. */
  readonly day_taken: number
  readonly created_at: number
}

export interface EntryRow {
  readonly account: string
  readonly seq: number
  readonly ref: string
  readonly kind: 'grant' | 'charge' | 'release' | 'refund' | 'adjust' | 'expire'
  readonly amt: number
  readonly after: number
  readonly at: number
  readonly owner: string
  readonly note: string | null
  readonly key: string | null
  readonly cap_day: number | null
  /** JSON list of the spending caps it took from; null without a key. */
  readonly caps: string | null
  readonly facts: string | null
  /** The permanent summary of its call; null for an entry without a call. */
  readonly endpoint: string | null
  readonly capability: string | null
  readonly failed: number | null
  readonly digest: string | null
  /** 0 or 1 while its answer is recorded as undelivered, null otherwise. */
  readonly refunded: number | null
}

export interface UsageRow {
  readonly account: string
  readonly day: number
  readonly endpoint: string
  readonly capability: string
  readonly calls: number
  readonly errors: number
  readonly credits: number
}

export interface RefusedRow {
  readonly account: string
  readonly day: number
  readonly endpoint: string
  readonly capability: string
  readonly status: number
  /** Sum over all instances. */
  readonly count: number
}

export interface IdempotencyRow {
  readonly account: string
  readonly key: string
  readonly fingerprint: string
  readonly state: 'running' | 'kept' | 'final'
  readonly attempt: number
  readonly hold: string
  readonly owner: string
  readonly lock_until: number
  readonly once: number
  readonly expires: number
  readonly bytes: number
  readonly status: number | null
  readonly headers: string | null
  readonly body: Uint8Array | null
  readonly gzip: number | null
  readonly file: string | null
  readonly amount: number | null
  readonly facts: string | null
}

export interface AuditRow {
  readonly id: number
  readonly at: number
  readonly actor: string
  readonly action: string
  readonly target: string
  readonly detail: string
}

export interface ArtifactRow {
  readonly id: string
  readonly account: string
  readonly name: string
  readonly content_type: string
  readonly size: number
  readonly created_at: number
  readonly expires_at: number
}
