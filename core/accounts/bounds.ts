import { toMilli } from '../store/amount.js'
import { parseRange } from '../runtime/address-range.js'
import { Problem } from '../problems/problem.js'
import type { KeyRecord } from '../store/types.js'
import { covers } from './caller.js'
import type { KeyOrder } from './key-order.js'

/** Upper bounds for a key's fields, for the API and the command line. */
export const KEY_LIMITS = {
  /** Characters of its label. */
  name: 100,
  /** Requests a minute. */
  rate: 100_000,
  /** Days until it expires. */
  days: 36_500,
  /** Seconds that it stays valid beside its replacement. */
  overlap: 2_592_000,
} as const

const DAY_MS = 86_400_000

function beyond(field: string): Problem {
  return new Problem('key-not-allowed', `A new key cannot exceed the key that creates it (${field}).`)
}

/** The refusal to change an existing key that the caller's key may not manage. */
function outside(field: string): Problem {
  return new Problem(
    'key-not-allowed',
    `A key may revoke and replace only itself and keys that it could have created: this one exceeds it (${field}).`,
  )
}

/** True when a key may do less than its account: it then bounds the keys that it creates or changes. */
export function isBounded({ scopes, caps, credit_limit, credit_limit_per_day, allowed_ips, expires_at }: KeyRecord): boolean {
  const everything = scopes === null || scopes.includes('*')
  return !everything || caps.length > 0 || [credit_limit, credit_limit_per_day, allowed_ips, expires_at].some((bound) => bound !== null)
}

/** Throws `key-not-allowed` unless `creator` could have created the key: only then may it revoke or rotate the key. */
export function within(key: KeyRecord, creator: KeyRecord): void {
  const over = (mine: number | null, limit: number | null): boolean => limit !== null && (mine === null || mine > limit)
  if (!covers(creator.scopes, key.scopes)) throw outside('scopes')
  for (const field of ['expires_at', 'credit_limit', 'credit_limit_per_day'] as const)
    if (over(key[field], creator[field])) throw outside(field)
  // A cap that is not the creator's, however low, is another's budget.
  if (!creator.caps.every((cap) => key.caps.includes(cap))) throw outside('credit_limit')
  if (isBounded(creator) && key.rate_limit_per_minute > creator.rate_limit_per_minute) throw outside('rate_limit_per_minute')
  if (creator.allowed_ips !== null && (key.allowed_ips === null || !inRanges(key.allowed_ips, creator.allowed_ips)))
    throw outside('allowed_ips')
}

/** True when every range lies inside one of the outer ones. */
function inRanges(ranges: readonly string[], outer: readonly string[]): boolean {
  const mine = outer.map(parseRange)
  return ranges.every((entry) => {
    const [network, bits] = parseRange(entry)
    return mine.some(([around, most]) => around.kind() === network.kind() && bits >= most && network.match(around, most))
  })
}

/** Throws `key-not-allowed` when a new key would have more than its creator. */
export function withinCreator(order: KeyOrder, creator: KeyRecord, now: number): void {
  const rate = order.rate_limit_per_minute
  if (rate !== undefined && isBounded(creator) && rate > creator.rate_limit_per_minute) throw beyond('rate_limit_per_minute')
  if (order.scopes !== undefined && !covers(creator.scopes, order.scopes)) throw beyond('scopes')
  if (creator.expires_at !== null && typeof order.expires_in_days === 'number' && now + order.expires_in_days * DAY_MS > creator.expires_at)
    throw beyond('expires_in_days')
  if (creator.expires_at !== null && order.expires_in_days === null) throw beyond('expires_in_days')
  for (const field of ['credit_limit', 'credit_limit_per_day'] as const) {
    const cap = creator[field]
    const wanted = order[field]
    if (cap !== null && (wanted === null || (typeof wanted === 'number' && toMilli(wanted) > cap))) throw beyond(field)
  }
  if (creator.allowed_ips !== null && order.allowed_ips !== undefined) {
    if (order.allowed_ips === null || !inRanges(order.allowed_ips, creator.allowed_ips)) throw beyond('allowed_ips')
  }
}
