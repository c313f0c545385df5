import { toCredits } from '../store/amount.js'
import type { KeyRecord, NewKey } from '../store/types.js'

/** The only answer that contains the key itself. */
export interface CreatedKey {
  id: string
  name: string
  key: string
  key_prefix: string
  rate_limit_per_minute: number
  created_at: string
  expires_at: string | null
  scopes: readonly string[] | null
  credit_limit: number | null
  credit_limit_per_day: number | null
  allowed_ips: readonly string[] | null
}

/** A key in a list. */
export interface KeyItem {
  id: string
  name: string
  key_prefix: string
  rate_limit_per_minute: number
  created_at: string
  last_used_at: string | null
  expires_at: string | null
  scopes: readonly string[] | null
  credit_limit: number | null
  credit_limit_per_day: number | null
  credits_used: number
  allowed_ips: readonly string[] | null
}

/** The answer to a new key. */
export function created(record: NewKey, key: string): CreatedKey {
  const { id, name, rate_limit_per_minute, scopes, allowed_ips } = record
  return {
    id,
    name,
    key,
    key_prefix: record.prefix,
    rate_limit_per_minute,
    created_at: new Date(record.created_at).toISOString(),
    expires_at: iso(record.expires_at),
    scopes,
    credit_limit: credits(record.credit_limit),
    credit_limit_per_day: credits(record.credit_limit_per_day),
    allowed_ips,
  }
}

/** The list view of a key, without the key itself. */
export function listed(key: KeyRecord): KeyItem {
  const { key: _secret, ...shown } = created(key, '')
  return { ...shown, last_used_at: iso(key.last_used_at), credits_used: toCredits(key.credits_used) }
}

function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}

function credits(milli: number | null): number | null {
  return milli === null ? null : toCredits(milli)
}
