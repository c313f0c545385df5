import { hint } from '../sdk/nearest.js'
import { toMilli } from '../store/amount.js'
import { parseRange } from '../runtime/address-range.js'
import { Problem, type ValidationItem } from '../problems/problem.js'

/** The requested fields of a new key; absent means no restriction of its own. */
export interface KeyOrder {
  readonly name: string
  /** Default: 60, or the creator's rate when the creator is bounded and has a lower one. */
  readonly rate_limit_per_minute?: number | undefined
  readonly expires_in_days?: number | null
  readonly scopes?: readonly string[] | null
  readonly credit_limit?: number | null
  readonly credit_limit_per_day?: number | null
  readonly allowed_ips?: readonly string[] | null
}

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
