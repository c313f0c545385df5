import type { AccountRecord, KeyRecord } from '../store/types.js'
import { inList } from '../runtime/address-range.js'
import { Problem } from '../problems/problem.js'

/** The caller of a request: a key and its account, as read at `readAt` (monotonic milliseconds). */
export interface Caller {
  readonly key: KeyRecord
  readonly account: AccountRecord
  readonly readAt: number
  /** The key spends on a cap of its own or of an ancestor. */
  readonly capped: boolean
}

/** True when scopes include a capability id or `manage`. One ending in `*` covers a prefix; null covers everything. */
export function allows(scopes: readonly string[] | null, wanted: string): boolean {
  if (scopes === null) return true
  return scopes.some((scope) => (scope.endsWith('*') ? wanted.startsWith(scope.slice(0, -1)) : scope === wanted))
}

/** True when every scope of `inner` is covered by `outer`: a key never grants more than its creator has. */
export function covers(outer: readonly string[] | null, inner: readonly string[] | null): boolean {
  if (outer === null || outer.includes('*')) return true
  if (inner === null) return false
  return inner.every((scope) =>
    outer.some((mine) => (mine.endsWith('*') ? scope.startsWith(mine.slice(0, -1)) : mine === scope && !scope.endsWith('*'))),
  )
}

/** The refusal of a disabled account, whatever the key. */
export function accountDisabled(): Problem {
  const action = 'Ask the operator to enable the account (capstan accounts enable).'
  return new Problem('key-not-allowed', 'The account is disabled.', { action })
}

/** Throws `key-not-allowed` when account, address or scopes forbid it. A null scope skips the check of scopes. */
export function authorise(caller: Caller, scope: string | null, address: string): void {
  const { key, account } = caller
  if (account.disabled) throw accountDisabled()
  if (key.allowed_ips !== null && !inList(address, key.allowed_ips))
    throw new Problem('key-not-allowed', 'The key may not be used from this address (allowed_ips).', { internal: `address ${address}` })
  if (scope !== null && !allows(key.scopes, scope)) throw new Problem('key-not-allowed', `The scopes of the key do not include "${scope}".`)
}
