import { createHash } from 'node:crypto'
import type { Caller } from '../accounts/caller.js'
import type { CallerNames } from '../sdk/index.js'

/** What plugins may know of a caller: names that tell one account and one key from another in this process (`instance`), and nothing else. */
export function callerNames(instance: string, { account, key }: Pick<Caller, 'account' | 'key'>): CallerNames {
  const name = (id: string): string => createHash('sha256').update(`${instance}/${id}`).digest('base64url').slice(0, 22)
  return { account: name(account.id), key: name(key.id) }
}
