import type { Facts, Milli } from './ledger.js'

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
