import { parseRange } from '../runtime/address-range.js'
import { Problem, type ValidationItem } from '../problems/problem.js'
import { nullable, Type, type Static } from '../sdk/index.js'
import { hint } from '../sdk/nearest.js'
import { toCredits, toMilli } from '../store/amount.js'
import type { KeyRecord, NewKey } from '../store/types.js'
import { covers } from './caller.js'
import { KEY_LIMITS } from './layout.js'

/** Default requests a minute of a key. */
const DEFAULT_RATE = 60
const DAY_MS = 86_400_000

const time = Type.String({ format: 'date-time' })
/** What a key may do: the same fields in orders and in answers. */
const restrictions = {
  scopes: nullable(
    Type.Unsafe<readonly string[]>(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        maxItems: 100,
        description: 'Capability ids, or prefixes of ids followed by *, "manage" and "files.upload"; null is everything.',
      }),
    ),
  ),
  credit_limit: nullable(Type.Number({ minimum: 0, maximum: 1e9, description: 'Most credits the key may ever spend.' })),
  credit_limit_per_day: nullable(Type.Number({ minimum: 0, maximum: 1e9, description: 'Most credits the key may spend in a UTC day.' })),
  allowed_ips: nullable(
    Type.Unsafe<readonly string[]>(
      Type.Array(Type.String({ maxLength: 60 }), {
        maxItems: 100,
        description: 'Addresses and CIDR ranges the key may be used from, at least one; null is any.',
      }),
    ),
  ),
}

/** The requested fields of a new key; absent means no restriction of its own. */
export const newKey = Type.Object(
  {
    name: Type.Optional(Type.String({ default: '', maxLength: KEY_LIMITS.name, description: 'Label of the key.' })),
    rate_limit_per_minute: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: KEY_LIMITS.rate,
        description: "Requests a minute: default 60, or the creating key's limit if that key is restricted and its limit is lower.",
      }),
    ),
    expires_in_days: Type.Optional(
      nullable(Type.Number({ exclusiveMinimum: 0, maximum: KEY_LIMITS.days, description: 'Days until the key expires; null is never.' })),
    ),
    scopes: Type.Optional(restrictions.scopes),
    credit_limit: Type.Optional(restrictions.credit_limit),
    credit_limit_per_day: Type.Optional(restrictions.credit_limit_per_day),
    allowed_ips: Type.Optional(restrictions.allowed_ips),
  },
  { additionalProperties: false },
)

export type KeyOrder = Static<typeof newKey> & { readonly name: string }

const shown = {
  id: Type.String(),
  name: Type.String(),
  key_prefix: Type.String({ description: 'The first 12 characters of the key.' }),
  rate_limit_per_minute: Type.Integer(),
  created_at: time,
  expires_at: nullable(time),
  ...restrictions,
}

/** The only answer that contains the key itself. */
export const createdKey = Type.Object({ ...shown, key: Type.String({ description: 'The key itself; it is shown this once.' }) })
export type CreatedKey = Static<typeof createdKey>

const keyItem = Type.Object({ ...shown, last_used_at: nullable(time), credits_used: Type.Number() })

/** A key in a list. */
export type KeyItem = Static<typeof keyItem>

/** The list of active keys. */
export const keyList = Type.Object({
  total: Type.Integer({ description: 'Active keys of the account.' }),
  keys: Type.Array(keyItem),
})

/** Scopes other than ids of capabilities. */
const OWN_SCOPES = ['manage', 'files.upload']

/** Throws `validation-failed` with all faults of an order; `scopes` are the valid ids. */
export function checkOrder(order: KeyOrder, scopes: readonly string[]): void {
  const faults: ValidationItem[] = []
  const known = new Set([...scopes, ...OWN_SCOPES])
  for (const [index, scope] of (order.scopes ?? []).entries()) {
    const stem = scope.endsWith('*') ? scope.slice(0, -1) : null
    const fits = stem === null ? known.has(scope) : [...known].some((id) => id.startsWith(stem))
    if (!fits)
      faults.push({
        loc: ['body', 'scopes', index],
        msg: `"${scope.slice(0, 60)}" is not a capability id, "manage", "files.upload", or the beginning of one with "*"${hint(scope.slice(0, 60), [...known])}`,
        type: 'enum',
      })
  }
  if (order.allowed_ips?.length === 0)
    faults.push({
      loc: ['body', 'allowed_ips'],
      msg: 'must name at least one address or range: omit it for any address',
      type: 'minItems',
    })
  for (const [index, entry] of (order.allowed_ips ?? []).entries()) {
    if (!isRange(entry))
      faults.push({
        loc: ['body', 'allowed_ips', index],
        msg: `"${entry.slice(0, 60)}" is not an IP address or CIDR range, such as 203.0.113.7 or 203.0.113.0/24`,
        type: 'format',
      })
  }
  for (const field of ['credit_limit', 'credit_limit_per_day'] as const) {
    const value = order[field]
    if (typeof value === 'number' && !isAmount(value))
      faults.push({ loc: ['body', field], msg: 'must be an amount of credits with at most three decimals', type: 'multipleOf' })
  }
  if (faults.length > 0) throw invalid(faults)
}

function isRange(entry: string): boolean {
  try {
    parseRange(entry)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

function isAmount(credits: number): boolean {
  try {
    return toMilli(credits) >= 0
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** The refusal of an order. */
export function invalid(items: readonly ValidationItem[]): Problem {
  const texts = items.map(({ loc, msg }) => (loc.length > 1 ? `${loc.slice(1).join('.')}: ${msg}` : msg))
  return new Problem('validation-failed', texts.join('; '), {
    validation: items,
  })
}

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
function isBounded({ scopes, caps, credit_limit, credit_limit_per_day, allowed_ips, expires_at }: KeyRecord): boolean {
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

type Terms = Pick<KeyRecord, 'rate_limit_per_minute' | 'expires_at' | keyof typeof restrictions>

/** What a new key may do: what was requested, else what its creator may. In thousandths and Unix milliseconds. */
export function termsOf(order: KeyOrder, creator: KeyRecord | null, now: number): Terms {
  const { scopes, allowed_ips, expires_in_days: days } = order
  const capOf = (field: 'credit_limit' | 'credit_limit_per_day'): number | null => {
    const wanted = order[field]
    return typeof wanted === 'number' ? toMilli(wanted) : (creator?.[field] ?? null)
  }
  return {
    rate_limit_per_minute: order.rate_limit_per_minute ?? defaultRate(creator),
    expires_at: typeof days === 'number' ? Math.ceil(now + days * DAY_MS) : (creator?.expires_at ?? null),
    scopes: scopes === undefined ? (creator?.scopes ?? null) : scopes,
    credit_limit: capOf('credit_limit'),
    credit_limit_per_day: capOf('credit_limit_per_day'),
    allowed_ips: allowed_ips === undefined ? (creator?.allowed_ips ?? null) : allowed_ips,
  }
}

/** The default of a key created by a bounded one is at most the creator's rate. */
function defaultRate(creator: KeyRecord | null): number {
  return creator !== null && isBounded(creator) ? Math.min(DEFAULT_RATE, creator.rate_limit_per_minute) : DEFAULT_RATE
}

/** True when a key has a spending cap of its own. */
export function hasCap({ credit_limit, credit_limit_per_day }: Terms): boolean {
  return credit_limit !== null || credit_limit_per_day !== null
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
