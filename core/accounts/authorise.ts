import { inList } from '../runtime/address-range.js'
import { Problem } from '../problems/problem.js'
import { allows, type Caller } from './caller.js'

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
