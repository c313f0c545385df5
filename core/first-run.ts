import type { Clock } from './clock.js'
import type { AccountService } from './credits/account-service.js'
import type { KeyService } from './keys/service.js'
import type { Store } from './store/types.js'

const ACCOUNT = 'default'
const OPENING_CREDITS = 1000

/** What the first start made: shown once. */
export interface FirstRun {
  readonly account: string
  readonly key: string
}

/**
 * Makes account `default` with its credits and one key on an empty store; null when that was done before, or is being done by another
 * gateway. What a gateway that died began is ended by the next one that starts.
 */
export async function firstRun(
  store: Store,
  clock: Clock,
  parts: { accounts: AccountService; keys: KeyService; instance: string },
): Promise<FirstRun | null> {
  const [first] = await store.accounts.list({ limit: 1, offset: 0 })
  if (first !== undefined && first.id !== ACCOUNT) return null
  if (first !== undefined && (await store.keys.list(ACCOUNT, { now: clock.now(), limit: 1, offset: 0 })).total > 0) return null
  if (!(await isElected(store, clock, parts.instance))) return null
  // Both do nothing the second time.
  await store.accounts.create({ id: ACCOUNT, name: ACCOUNT, now: clock.now() })
  await parts.accounts.openBalance(ACCOUNT, OPENING_CREDITS, 'first start')
  const { key } = await parts.keys.create(ACCOUNT, { name: 'first key' }, null)
  return { account: ACCOUNT, key }
}

/** True for one gateway of all that start at once, and for one of those that find it dead. */
async function isElected(store: Store, clock: Clock, instance: string): Promise<boolean> {
  for (let office = 'first-run'; ;) {
    const holder = await store.settings.putIfAbsent(office, instance)
    if (holder === instance) return true
    // A store that only one process can have open has no other living gateway.
    if (store.shared && (await store.leases.live(clock.now())).includes(holder)) return false
    office = `first-run after ${holder}`
  }
}
