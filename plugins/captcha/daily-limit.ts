import { Fault, type ProviderContext, type Static } from '../../core/sdk/index.js'
import type { settings } from './settings.js'

type Context = ProviderContext<Static<typeof settings>>

/** Throws Fault `missing` when the operator has disabled captcha solving. */
export function assertMaySolve({ settings: { per_account_per_day } }: Context): void {
  if (per_account_per_day === 0) throw new Fault('missing', 'Captchas are not solved here (plugins.captcha.per_account_per_day is 0).')
}

/**
 * Runs one task within the account's daily limit, over all replicas. A task that the vendor does not charge for is
 * refunded: one it did not accept (`work` calls `made` once it has), and one that could not be solved. Throws Fault
 * `busy` when the daily limit is reached.
 */
export async function withinDay<T>({ caps, settings }: Context, work: (made: () => void) => Promise<T>): Promise<T> {
  const taken = await caps.take('captchas', { most: settings.per_account_per_day, per: 'day', setting: 'per_account_per_day' })
  let isMade = false
  try {
    return await work(() => (isMade = true))
  } catch (error) {
    if (!isMade || (Fault.is(error) && error.kind === 'missing')) await taken.giveBack()
    throw error
  }
}
