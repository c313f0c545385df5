import type { Clock } from '../runtime/clock.js'
import type { Store } from '../store/types.js'
import type { AdminToken } from '../accounts/admin-token.js'
import type { KeyService } from '../accounts/service.js'
import type { Log } from '../runtime/log-events.js'
import { untilReached } from './store-wait.js'

/** True for exactly one of all gateways that start at once; after its death, for one of the others. `role`: what it is elected for. */
async function isElected(role: string, store: Store, clock: Clock, instance: string): Promise<boolean> {
  for (let name = role; ;) {
    const holder = await store.settings.putIfAbsent(name, instance)
    if (holder === instance) return true
    // A store that only one process can open has no other live gateway.
    if (store.shared && (await store.leases.live(clock.now())).includes(holder)) return false
    name = `${role} after ${holder}`
  }
}

const ACCOUNT = 'default'
const OPENING_CREDITS = 1000
const KEY_NAME = 'first key'
const MOST_KEYS = 1_000
/** Setting that exists from before the key is created until it was printed. */
const UNSHOWN = 'first-run-unshown'

/** The account and key of the first start; shown once. */
export interface FirstRun {
  readonly account: string
  readonly key: string
}

/** Credentials that a start created and has to print. */
export interface FirstStart {
  /** Null when the account and its key were created and printed before, or another gateway creates them. */
  readonly firstRun: FirstRun | null
  /** The admin token if this start created it. */
  readonly adminToken: string | null
  /** Call once both were printed: otherwise the next start creates new ones. Idempotent. Throws StoreUnavailable. */
  readonly shown: () => Promise<void>
}

interface FirstStartDeps {
  readonly accounts: { openBalance(account: string, credits: number, reason: string): Promise<unknown> }
  readonly keys: KeyService
  readonly token: AdminToken
  readonly instance: string
}

/** Creates the first credentials, or replaces those that an earlier start could not print. Throws StoreUnavailable; may be repeated. */
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
 * Creates account `default` with its credits and one key on an empty store; null when that was done or another gateway is
 * doing it. The next start completes what a dead gateway began, and replaces a key that was not printed.
 */
async function firstRun(store: Store, clock: Clock, { accounts, keys, instance }: FirstStartDeps): Promise<FirstRun | null> {
  if ((await keysToReplace(store, clock)) === null) return null
  if (!(await isElected('first-run', store, clock, instance))) return null
  // An earlier elected gateway may have printed its key and stopped since the first check.
  const replaced = await keysToReplace(store, clock)
  if (replaced === null) return null
  await store.settings.put(UNSHOWN, instance)
  // Both are idempotent.
  await store.accounts.create({ id: ACCOUNT, name: ACCOUNT, now: clock.now() })
  await accounts.openBalance(ACCOUNT, OPENING_CREDITS, 'first start')
  for (const { id } of replaced) await keys.revoke(ACCOUNT, id, null)
  const { key } = await keys.create(ACCOUNT, { name: KEY_NAME }, null)
  return { account: ACCOUNT, key }
}

/** The keys that the first key replaces, none on an empty store; null when no first key is due. */
async function keysToReplace(store: Store, clock: Clock) {
  if ((await store.settings.get(UNSHOWN)) !== null) {
    const keys = await firstKeys(store, clock)
    // A key in use was printed by a gateway that died before recording that.
    if (keys.every((key) => key.last_used_at === null)) return keys
    await store.settings.delete(UNSHOWN)
  }
  const [first] = await store.accounts.list({ limit: 1, offset: 0 })
  if (first === undefined) return []
  if (first.id !== ACCOUNT) return null
  return (await store.keys.list(ACCOUNT, { now: clock.now(), limit: 1, offset: 0 })).total === 0 ? [] : null
}

async function firstKeys(store: Store, clock: Clock) {
  const { keys } = await store.keys.list(ACCOUNT, { now: clock.now(), limit: MOST_KEYS, offset: 0 })
  return keys.filter(({ name }) => name === KEY_NAME)
}

/**
 * Writes a text to standard output and records that the first key and the admin token in it were shown. If the write
 * fails, the next start creates new ones.
 */
export async function printWith(first: FirstStart, text: string, log: Log): Promise<void> {
  const isPrinted = await new Promise<boolean>((resolve) => void process.stdout.write(text, (error) => resolve(!(error instanceof Error))))
  if (first.firstRun === null && first.adminToken === null) return
  if (isPrinted) await untilReached(() => first.shown(), log)
  else log('first-key-not-printed', 'the first key and the admin token could not be printed; the next start creates new ones')
}
