/** Thousandths of a credit, always an integer. */
export type Milli = number

/** The facts of a call, written in the same step as its money: this is the call record. */
export interface Facts {
  readonly endpoint: string
  readonly capability: string
  readonly mode: string | null
  readonly product: string
  readonly key_id: string
  readonly request_id: string
  readonly status: number
  readonly ms: number
  readonly provider_used: string | null
  readonly providers_tried: readonly string[]
  /** Slug of the problem, null on success. */
  readonly error: string | null
  /** `/v1/agent` for a call through that route. */
  readonly via?: string
  /** The caller disconnected before the answer was ready. */
  readonly aborted?: true
}

export interface Balance {
  readonly balance: Milli
  readonly held: Milli
  readonly available: Milli
}

export interface HoldRequest {
  readonly account: string
  /** Fresh, never derived from anything the caller sent, never reused. */
  readonly hold: string
  readonly amount: Milli
  /** The sweeper may release the hold after this. */
  readonly deadline: number
  /** Gateway instance. */
  readonly owner: string
  /** The revocation epoch cached with the key. When it has changed, `stale-auth` is returned: read the key again. */
  readonly auth: number
  readonly key: string
  /** The key spends on at least one cap, total or per day. */
  readonly capped: boolean
  /** Spending caps the amount is taken from, all or none; by default that of the key. Ignored unless `capped`. */
  readonly caps?: readonly string[]
  readonly capability: string
  /** What the history records of this call should the gateway die; by default only the capability. */
  readonly call?: Pick<Facts, 'endpoint' | 'mode' | 'product' | 'request_id'>
  /** Open holds allowed on the account. */
  readonly maxOpen: number
  /** Refused as `full` when the account's files and kept answers take this many bytes or more; no limit by default. */
  readonly storedBelow?: number
  readonly now: number
}

/** Why an account cannot hold an amount now. */
export type Shortage = 'too-many-open' | 'capped' | 'insufficient' | 'full'

export type HoldResult =
  | ({ readonly ok: true } & Balance)
  | ({ readonly ok: false; readonly why: 'insufficient' } & Balance)
  | { readonly ok: false; readonly why: Exclude<Shortage, 'insufficient'> | 'stale-auth' | 'disabled' | 'absent' | 'duplicate' }

export interface ChargeRequest {
  readonly account: string
  readonly hold: string
  /** At most what was held. */
  readonly amount: Milli
  readonly owner: string
  readonly facts: Facts
  /**
   * `awaited` (the default): refunded by a sweeper when the owner dies before `delivered` was recorded. `none`: final
   * whether or not the answer arrives, because it is kept for replay or because the work had outside effects.
   */
  readonly delivery?: 'awaited' | 'none'
  /** Bytes of the kept answer, when `keep` left counting them to this charge (`by-charge`). */
  readonly keptBytes?: number
  readonly now: number
}

/** `already`: this hold had been charged or released before, and the first resolution is final. */
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
  /** Facts of the call, for a charge. */
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
  /** True for a charge whose answer was written and that was not refunded, else null. */
  readonly delivered: boolean | null
  readonly note: string | null
  /** Null when the entry belongs to no call, and once they were trimmed. */
  readonly facts: Facts | null
}

export interface SweepReport {
  readonly released: number
  readonly refunded: number
  readonly idempotency: number
  readonly leases: number
  /** Accounts set aside: their entries cannot be written, their calls are refused as unavailable, sweeps skip them. */
  readonly aside: readonly AccountSetAside[]
}

export interface AccountSetAside {
  readonly account: string
  /** The failure, for the operator. */
  readonly error: string
}

/** The remaining amounts of a spending cap. */
export interface CapRoom {
  readonly id: string
  /** In total; null for a cap without that limit. */
  readonly total: { readonly limit: Milli; readonly left: Milli } | null
  /** For the UTC day of the requested time; null for a cap without that limit. */
  readonly day: { readonly limit: Milli; readonly left: Milli } | null
}

/** The state of a hold. `refunded`: charged and then refunded. */
export type HoldState = 'open' | 'charged' | 'refunded' | 'released' | 'absent'

export interface SweepRequest {
  readonly now: number
  readonly graceMs: number
  readonly owner: string
  readonly deadOwners: readonly string[] | 'all-but-owner'
}

/** A page of entries: those after a sequence number of an account, or after an account. */
export interface EntryFilter {
  readonly account?: string
  readonly afterSeq?: number
  readonly afterAccount?: string
  readonly limit: number
}

export interface LedgerStore {
  hold(request: HoldRequest): Promise<HoldResult>
  charge(request: ChargeRequest): Promise<Settlement>
  release(request: ReleaseRequest): Promise<Settlement>
  post(request: PostRequest): Promise<PostResult>
  /** Refunds a charge, once: reference `rf:` + hold. */
  refund(request: { account: string; hold: string; reason: string; owner: string; now: number }): Promise<PostResult>
  /** Changes how far below zero the balance may go; refused while more than the new limit is in use. */
  setOverage(request: { account: string; limit: Milli; ref: string; owner: string; now: number }): Promise<PostResult>
  /** Marks charges whose answers were written, in batches. */
  delivered(refs: readonly { account: string; ref: string }[]): Promise<void>
  /**
   * One round over the accounts that this instance publishes: moves their entries to the journal. Absent where the step
   * that makes an entry already does that. Call it every 0.5 to 1 s, never concurrently.
   */
  publish?(request: { instance: string; now: number }): Promise<void>
  /** The state of a hold and the account's balance at that moment; balance null for an unknown account. */
  resolve(account: string, hold: string): Promise<{ state: HoldState; amount: Milli; balance: Milli | null }>
  /** Remaining amounts of an account's caps, less open holds, for display. Deleted caps are omitted. */
  capRoom(account: string, ids: readonly string[], now: number): Promise<CapRoom[]>
  balance(account: string): Promise<(Balance & { overage: Milli; open: number; seq: number }) | null>
  /**
   * Releases holds past deadline + grace, refunds undelivered charges of dead owners, drops expired records. One call
   * handles a bounded number of each; call again while it reports any.
   */
  sweep(request: SweepRequest): Promise<SweepReport>
  /**
   * Deletes details of calls older than `before`, the oldest first; entries stay. Records the time first: earlier calls
   * are no longer listed from then on. Returns how many it deleted, a bounded number; call again until it returns 0.
   * Several gateways may trim at once.
   */
  trim(request: { before: number }): Promise<number>
  /** Entries in order of account and sequence, for export and audit, read in pages. */
  entries(filter: EntryFilter): Promise<Entry[]>
}

export interface CallRow {
  readonly id: string
  readonly facts: Facts
  readonly credits_used: Milli
  readonly created_at: number
}

export interface CallFilter {
  readonly account: string
  /** Path or capability id. */
  readonly endpoint?: string
  /** Capability ids of a product. */
  readonly capabilities?: readonly string[]
  readonly since?: number
  readonly limit: number
  readonly offset: number
}

export interface UsageRow {
  /** UTC day, `2026-01-31`. */
  readonly day: string
  readonly endpoint: string
  readonly capability: string
  readonly calls: number
  readonly errors: number
  readonly credits: Milli
}

/** Calls refused before any credit was held, as absolute counts per instance. */
export interface RefusedRow {
  readonly instance: string
  readonly account: string
  readonly day: string
  readonly endpoint: string
  readonly capability: string
  readonly status: number
  readonly count: number
}

export interface HistoryStore {
  /** Calls, newest first, with the number of all that match. Trimmed calls are neither listed nor counted. */
  calls(filter: CallFilter): Promise<{ rows: CallRow[]; total: number }>
  /** Usage and refused calls of each day since, by endpoint. Trimming does not change it. */
  usage(filter: { account?: string; sinceDay: string; capabilities?: readonly string[] }): Promise<UsageRow[]>
  refused(rows: readonly RefusedRow[]): Promise<void>
}
