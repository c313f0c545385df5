import type { Clock } from '../runtime/clock.js'
import { isElected } from './election.js'
import type { AdminToken } from '../accounts/admin-token.js'
import type { KeyService } from '../accounts/service.js'
import type { Store } from '../store/types.js'

const ACCOUNT = 'default'
const OPENING_CREDITS = 1000
const KEY_NAME = 'first key'
const MOST_KEYS = 1_000
/** Stands from before the key is made until it was printed. */
const UNSHOWN = 'first-run-unshown'

/** What the first start made: shown once. */
export interface FirstRun {
  readonly account: string
  readonly key: string
}

/** What a start made and has to print. */
export interface FirstStart {
  /** Null when the account and its key were made and printed before, or another gateway makes them. */
  readonly firstRun: FirstRun | null
  /** The text of the admin token when this start made it. */
  readonly adminToken: string | null
  /** To be called once both were printed: until then the next start makes them anew. Throws StoreUnavailable; call again. */
  readonly shown: () => Promise<void>
}

interface FirstStartDeps {
  readonly accounts: { openBalance(account: string, credits: number, reason: string): Promise<unknown> }
  readonly keys: KeyService
  readonly token: AdminToken
  readonly instance: string
}

/** Makes what the first start makes, and what an earlier one made and could not print. Throws StoreUnavailable; it may then be called again. */
export async function firstStart(store: Store, clock: Clock, deps: FirstStartDeps): Promise<FirstStart> {
  const made = await firstRun(store, clock, deps)
  const adminToken = await deps.token.make(() => isElected('admin-token', store, clock, deps.instance))
  return {
    firstRun: made,
    adminToken,
    shown: async () => {
      if (made !== null) await store.settings.delete(UNSHOWN)
      if (adminToken !== null) await deps.token.shown()
    },
  }
}

/**
 * Makes account `default` with its credits and one key on an empty store; null when that was done before, or is being done by another
 * gateway. What a gateway that died began is ended by the next one that starts, and a key that was not printed is revoked and made anew.
 */
async function firstRun(store: Store, clock: Clock, { accounts, keys, instance }: FirstStartDeps): Promise<FirstRun | null> {
  if (!(await isDue(store, clock)) || !(await isElected('first-run', store, clock, instance))) return null
  // One that was elected before may have printed its key and stopped since the first look.
  if (!(await isDue(store, clock))) return null
  await store.settings.put(UNSHOWN, instance)
  // Both do nothing the second time.
  await store.accounts.create({ id: ACCOUNT, name: ACCOUNT, now: clock.now() })
  await accounts.openBalance(ACCOUNT, OPENING_CREDITS, 'first start')
  for (const { id } of await firstKeys(store, clock)) await keys.revoke(ACCOUNT, id, null)
  const { key } = await keys.create(ACCOUNT, { name: KEY_NAME }, null)
  return { account: ACCOUNT, key }
}

async function isDue(store: Store, clock: Clock): Promise<boolean> {
  if ((await store.settings.get(UNSHOWN)) !== null) {
    // A key that is in use was printed by a gateway that died before it could note that.
    if ((await firstKeys(store, clock)).every((key) => key.last_used_at === null)) return true
    await store.settings.delete(UNSHOWN)
  }
  const [first] = await store.accounts.list({ limit: 1, offset: 0 })
  if (first !== undefined && first.id !== ACCOUNT) return false
  return first === undefined || (await store.keys.list(ACCOUNT, { now: clock.now(), limit: 1, offset: 0 })).total === 0
}

async function firstKeys(store: Store, clock: Clock) {
  const { keys } = await store.keys.list(ACCOUNT, { now: clock.now(), limit: MOST_KEYS, offset: 0 })
  return keys.filter(({ name }) => name === KEY_NAME)
}
