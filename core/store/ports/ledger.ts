import type { Balance, Facts, Milli } from './money.js'

export interface HoldRequest {
  readonly account: string
  /** Fresh, never derived from anything the caller sent, never reused. */
  readonly hold: string
  readonly amount: Milli
  /** After this the sweeper may release it. */
  readonly deadline: number
  /** Gateway instance. */
  readonly owner: string
  /** The account's revocation epoch as cached with the key; another one now means: read the key again. */
  readonly auth: number
  readonly key: string
  /** The key spends on at least one cap, total or per day. */
  readonly capped: boolean
  /** Ids of the spending caps the amount is taken from, all of them or none; by default that of the key alone. Ignored unless `capped`. */
  readonly caps?: readonly string[]
  readonly capability: string
  /** What the history says of this call should the gateway die under it; by default only the capability is known. */
  readonly call?: Pick<Facts, 'endpoint' | 'mode' | 'product' | 'request_id'>
  /** Open holds allowed on the account. */
  readonly maxOpen: number
  /** Refused as `full` when the account's files and kept answers take so many bytes or more; by default whatever they take. */
  readonly storedBelow?: number
  readonly now: number
}

export type HoldResult =
  | ({ readonly ok: true } & Balance)
  | ({ readonly ok: false; readonly why: 'insufficient' } & Balance)
  | { readonly ok: false; readonly why: 'too-many-open' | 'stale-auth' | 'capped' | 'disabled' | 'absent' | 'duplicate' | 'full' }

export interface ChargeRequest {
  readonly account: string
  readonly hold: string
  /** At most what was held. */
  readonly amount: Milli
  readonly owner: string
  readonly facts: Facts
  /**
   * `awaited` (the default): refunded by a sweeper when the owner dies before `delivered` was recorded. `none`: the charge stands whatever
   * becomes of the answer, because it is kept for replay or because the work acted on the world.
   */
  readonly delivery?: 'awaited' | 'none'
  /** Bytes of the answer kept for replay that `keep` has left to this charge to count. */
  readonly keptBytes?: number
  readonly now: number
}

/** `already` when this very hold had been charged or released before: the first resolution stands. */
export type Settlement =
  | ({ readonly ok: true; readonly already: boolean; readonly seq: number; readonly amount: Milli } & Balance)
  | { readonly ok: false; readonly why: 'released' | 'charged' | 'absent' }

export interface ReleaseRequest {
  readonly account: string
  readonly hold: string
  readonly owner: string
  readonly reason: string
  readonly facts: Facts | null
  readonly now: number
}

export type EntryKind = 'grant' | 'charge' | 'release' | 'refund' | 'adjust' | 'expire'

export interface PostRequest {
  readonly account: string
  /** Exactly once per account and reference. */
  readonly ref: string
  readonly kind: Exclude<EntryKind, 'release'>
  readonly amount: Milli
  readonly note: string | null
  /** A charge says what it was for. */
  readonly facts: Facts | null
  readonly owner: string
  readonly now: number
}

export type PostResult =
  | ({ readonly ok: true; readonly applied: boolean } & Balance)
  | { readonly ok: false; readonly why: 'insufficient' | 'absent' | 'conflict' }

export interface Entry {
  readonly account: string
  readonly seq: number
  readonly ref: string
  readonly kind: EntryKind
  readonly amount: Milli
  readonly after: Milli
  readonly at: number
  readonly owner: string
  /** True for a charge whose answer was written and that was not given back, else null. */
  readonly delivered: boolean | null
  readonly note: string | null
  /** Null when it is of no call, and once it was trimmed. */
  readonly facts: Facts | null
}

export interface SweepReport {
  readonly released: number
  readonly refunded: number
  readonly idempotency: number
  readonly leases: number
  /** Accounts set aside at the moment: their books cannot be written, so calls on them are refused as unavailable and sweeps pass them over. */
  readonly aside: readonly AccountSetAside[]
}

export interface AccountSetAside {
  readonly account: string
  /** What failed, for the operator. */
  readonly error: string
}

/** What a spending cap has left. */
export interface CapRoom {
  readonly id: string
  /** In all; null for a cap without that limit. */
  readonly total: { readonly limit: Milli; readonly left: Milli } | null
  /** For the UTC day of the time that was asked about. */
  readonly day: { readonly limit: Milli; readonly left: Milli } | null
}

/** What became of a hold. `refunded`: charged, and the charge was given back. */
export type HoldState = 'open' | 'charged' | 'refunded' | 'released' | 'absent'

export interface LedgerStore {
  hold(request: HoldRequest): Promise<HoldResult>
  charge(request: ChargeRequest): Promise<Settlement>
  release(request: ReleaseRequest): Promise<Settlement>
  post(request: PostRequest): Promise<PostResult>
  /** Gives a charge back, once: reference `rf:` + hold. */
  refund(request: { account: string; hold: string; reason: string; owner: string; now: number }): Promise<PostResult>
  /** Changes how far below zero the balance may go; refused when more than the new limit is in use. */
  setOverage(request: { account: string; limit: Milli; ref: string; owner: string; now: number }): Promise<PostResult>
  /** Marks charges whose answers were written, a batch at a time. */
  delivered(refs: readonly { account: string; ref: string }[]): Promise<void>
  /**
   * One round over the accounts that this instance publishes: their entries become part of the journal. Absent where the step that makes an
   * entry already does that. To be called every 0.5 to 1 s; never twice at once.
   */
  publish?(request: { instance: string; now: number }): Promise<void>
  /** What became of a hold, and the account's balance at that moment; null of an account that is not there. */
  resolve(account: string, hold: string): Promise<{ state: HoldState; amount: Milli; balance: Milli | null }>
  /** What caps of an account have left at a time, running calls taken off, to say so: a hold asks by itself. Those that are gone are left out. */
  capRoom(account: string, ids: readonly string[], now: number): Promise<CapRoom[]>
  balance(account: string): Promise<(Balance & { overage: Milli; open: number; seq: number }) | null>
  /** Releases holds past deadline + grace, refunds charges of dead owners that were never delivered, drops what has expired. One call takes a bounded number of each; call again while it reports any. */
  sweep(request: { now: number; graceMs: number; owner: string; deadOwners: readonly string[] | 'all-but-owner' }): Promise<SweepReport>
  /**
   * Deletes details of calls older than `before`, the oldest first; entries stay. Notes the time first: calls before it are not listed
   * from then on. Takes a bounded number; call again while it answers any. Several gateways may do so at once.
   */
  trim(request: { before: number }): Promise<number>
  /** Entries in order of account and sequence, for export and audit, read in pages. */
  entries(filter: { account?: string; afterSeq?: number; limit: number; afterAccount?: string }): Promise<Entry[]>
}
