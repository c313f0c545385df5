import { Fault, type ProviderContext, type Static } from '../../core/sdk/index.js'
import type { settings } from './settings.js'

type Context = ProviderContext<Static<typeof settings>>

/** Vendors charge nothing for these: no task was made, or it was not solved. */
const FREE: readonly string[] = ['missing', 'quota', 'credentials', 'invalid']

/** Throws Fault `missing` where the operator lets no captcha be solved. */
export function assertMaySolve({ settings: { per_key_per_day } }: Context): void {
  if (per_key_per_day === 0) throw new Fault('missing', 'Captchas are not solved here (plugins.captcha.per_key_per_day is 0).')
}

/**
 * Runs one task within what the key may have solved in a day, over all replicas. A task that the vendor does not charge for is given back. Throws
 * Fault `busy` when the day's count is used up.
 */
export async function withinDay<T>({ caps, settings }: Context, task: () => Promise<T>): Promise<T> {
  const taken = await caps.take('captchas', { most: settings.per_key_per_day, per: 'day', setting: 'per_key_per_day' })
  try {
    return await task()
  } catch (error) {
    if (Fault.is(error) && FREE.includes(error.kind)) await taken.giveBack()
    throw error
  }
}
