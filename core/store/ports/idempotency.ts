import type { Facts, Milli } from './ledger.js'

/** An answer kept for replay. */
export interface KeptResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The exact bytes, gzip when `gzip`; or empty with `file` naming an artifact. */
  readonly body: Uint8Array
  readonly gzip: boolean
  readonly file: string | null
  readonly amount: Milli
  readonly facts: Facts
}

export interface ClaimRequest {
  readonly account: string
  /** Hash of the Idempotency-Key. */
  readonly key: string
  readonly fingerprint: string
  readonly hold: string
  readonly owner: string
  /** The work of this attempt has ended by then. */
  readonly lockUntil: number
  readonly expires: number
  /** The work has outside effects: an abandoned attempt is not run again. */
  readonly once: boolean
  readonly now: number
}

export type ClaimResult =
  | { readonly state: 'claimed'; readonly attempt: number; readonly abandoned: string | null }
  | { readonly state: 'running'; readonly fingerprint: string; readonly lockUntil: number }
  | { readonly state: 'kept'; readonly fingerprint: string; readonly hold: string; readonly response: KeptResponse }
  | { readonly state: 'final'; readonly fingerprint: string }

export interface KeepRequest extends Claimed {
  readonly response: KeptResponse
  /**
   * `by-charge`: the charge that follows counts the bytes for the account (its `keptBytes`), where that saves a round
   * trip. `now`, the default: the store counts them at once.
   */
  readonly counted?: 'now' | 'by-charge'
  readonly now: number
}

/** The attempt that owns a record. */
export interface Claimed {
  readonly account: string
  readonly key: string
  readonly attempt: number
  readonly hold: string
}

export interface IdempotencyStore {
  /** Inserts or reports the record; takes over an attempt whose lock has expired, with its hold as `abandoned`. */
  claim(request: ClaimRequest): Promise<ClaimResult>
  /** running → ready, fenced by attempt and hold; false when another attempt owns it. */
  keep(request: KeepRequest): Promise<boolean>
  /** running → deleted, fenced: the key is free again. */
  free(request: Claimed): Promise<boolean>
  /** running → final, fenced: the outcome is unknown and the call must not be repeated under this key. */
  finalise(request: Claimed): Promise<boolean>
}
