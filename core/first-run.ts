import type { Clock } from './clock.js'
import type { AccountDesk } from './credits/account-desk.js'
import type { KeyService } from './keys/service.js'
import type { Store } from './store/port.js'

const ACCOUNT = 'default'
const OPENING_CREDITS = 1000

/** What the first start made: shown once. */
export interface FirstRun {
  readonly account: string
  readonly key: string
}

/** Makes account `default` with its credits and one key on an empty store; null when that was done before, here or by another gateway. */
export async function firstRun(
  store: Store,
  clock: Clock,
  parts: { desk: AccountDesk; keys: KeyService; instance: string },
): Promise<FirstRun | null> {
  const accounts = await store.accounts.list({ limit: 1, offset: 0 })
  const [first] = accounts
  if (first !== undefined && first.id !== ACCOUNT) return null
  const winner = await store.settings.putIfAbsent('first-run', parts.instance)
  if (winner !== parts.instance && (await store.ledger.balance(ACCOUNT))?.seq !== 0 && first !== undefined) return null
  // Both do nothing the second time: a winner that died before them is made up for.
  await store.accounts.create({ id: ACCOUNT, name: ACCOUNT, now: clock.now() })
  await parts.desk.grant(ACCOUNT, { amount: OPENING_CREDITS, ref: 'opening-balance', actor: 'first start' })
  if (winner !== parts.instance) return null
  const { key } = await parts.keys.create(ACCOUNT, { name: 'first key', rate_limit_per_minute: 60 }, null)
  return { account: ACCOUNT, key }
}
