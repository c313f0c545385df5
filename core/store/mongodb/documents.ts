import type { ArtifactRecord, AuditEntry, EntryKind, Facts, HoldRequest, KeptResponse, KeyRecord, Milli } from '../types.js'

/* schemas.ts documents the fields. */

export interface HoldField {
  readonly amt: Milli
  /** Deadline. */
  readonly dl: number
  readonly own: string
  readonly key: string
  readonly cap: number | null
  readonly caps?: readonly string[]
  readonly at: number
  readonly capability: string
  readonly call: NonNullable<HoldRequest['call']> | null
}

export interface OutField {
  readonly ref: string
  readonly kind: EntryKind
  readonly amt: Milli
  readonly at: number
  readonly own: string
  readonly note: string | null
  readonly key: string | null
  readonly cap: number | null
  readonly caps?: readonly string[]
  readonly facts: Facts | null
  readonly n?: number
  readonly delivered?: boolean | null
}

export interface CapField {
  readonly left: Milli
  readonly day: number
  readonly dleft: Milli
  /** `dleft` at the start of a day. */
  readonly dlim: Milli
  /** When the cap was created. */
  readonly at: number
}

export interface AccountDocument {
  readonly _id: string
  readonly name: string
  readonly created_at: number
  readonly disabled: boolean
  readonly max_open: number | null
  readonly bal: Milli
  readonly held: Milli
  readonly over: Milli
  readonly avail: Milli
  readonly seq: number
  readonly ver: number
  readonly auth: number
  readonly open: number
  readonly holds: Readonly<Record<string, HoldField>>
  readonly out: readonly OutField[]
  readonly pub?: number
  readonly done: number
  readonly pseq: number
  readonly dl?: number
  readonly caps: Readonly<Record<string, CapField>>
  readonly capped: number
  readonly stored: number
  readonly taken: number
}

export interface EntryDocument extends Omit<OutField, 'facts'> {
  readonly acct: string
  readonly seq: number
  readonly after: Milli
  readonly delivered: boolean | null
  /** Absent when the entry belongs to no call. */
  readonly call?: CallField
}

/** An entry with the facts of its call, stored separately; null without a call and once trimmed. */
export interface EntryWithFacts extends EntryDocument {
  readonly facts: Facts | null
}

/** What an entry keeps of its call after its details are trimmed. */
export interface CallField {
  readonly endpoint: string
  readonly capability: string
  readonly failed: boolean
  readonly digest: string
}

export interface DetailsDocument {
  readonly _id: string
  readonly acct: string
  readonly seq: number
  readonly ref: string
  readonly amt: Milli
  readonly at: number
  /** Of a charge or release. */
  readonly facts?: Facts
  /** Of a refund: the facts of the refunded call. */
  readonly of?: Facts
}

export interface UsageCount {
  readonly calls: number
  readonly errors: number
  readonly credits: Milli
}

export interface UsageDocument {
  readonly _id: string
  readonly acct: string
  readonly day: number
  readonly applied: number
  readonly rows: Readonly<Record<string, UsageCount>>
}

export interface RefusedDocument {
  readonly _id: string
  readonly acct: string
  readonly day: number
  readonly endpoint: string
  readonly capability: string
  readonly status: number
  /** By instance, escaped. */
  readonly counts: Readonly<Record<string, number>>
}

export interface KeyDocument extends Omit<KeyRecord, 'id' | 'account' | 'rate_limit_per_minute' | 'credits_used'> {
  readonly _id: string
  readonly acct: string
  readonly rate: number
  readonly used: Milli
  readonly applied: number
  readonly due?: boolean
  readonly superseded?: boolean
}

export interface AnswerField extends Omit<KeptResponse, 'headers'> {
  readonly headers: string
}

export interface IdempotencyDocument {
  readonly _id: string
  readonly acct: string
  readonly fingerprint: string
  readonly st: 'running' | 'ready' | 'final'
  readonly att: number
  readonly hid: string
  readonly own: string
  readonly lock: number
  readonly once: boolean
  readonly expires: number
  readonly bytes: number
  readonly answer: AnswerField | null
}

export interface GatewayDocument {
  readonly _id: string
  readonly expires?: number
  readonly rev?: number
  readonly upto?: number
  readonly open?: readonly number[]
  readonly ended?: true
  readonly late?: number
  readonly own?: string
}

export interface RetentionDocument {
  readonly _id: string
  readonly before: number
}

export interface SettingsDocument {
  readonly _id: string
  readonly schema: number
  readonly version: number
  readonly values: Readonly<Record<string, string>>
}

export interface AuditDocument extends Omit<AuditEntry, 'detail'> {
  readonly detail: string
}

export interface ArtifactDocument extends Omit<ArtifactRecord, 'id' | 'account'> {
  readonly _id: string
  readonly acct: string
}
