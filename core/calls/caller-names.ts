import { createHash } from 'node:crypto'
import type { Caller } from '../accounts/caller.js'
import type { CallerNames } from '../sdk/index.js'

/** Pseudonyms of a caller for plugins: they distinguish accounts and keys within this process (`instance`) only. */
export function callerNames(instance: string, { account, key }: Pick<Caller, 'account' | 'key'>): CallerNames {
  const name = (id: string): string => createHash('sha256').update(`${instance}/${id}`).digest('base64url').slice(0, 22)
  return { account: name(account.id), key: name(key.id) }
}
