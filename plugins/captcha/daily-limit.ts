import { Fault, type RequestContext, type Static } from '../../core/sdk/index.js'
import type { settings } from './settings.js'

/**
 * Throws Fault `missing` when captchas are not solved for this call. The count of a day by key (`caller.key`), shared by replicas, belongs here
 * and nowhere else; the core lends no counter yet, so only 0 is enforced.
 */
export function assertMaySolve({ settings: { per_key_per_day } }: RequestContext<Static<typeof settings>>): void {
  if (per_key_per_day === 0) throw new Fault('missing', 'Captchas are not solved here (plugins.captcha.per_key_per_day is 0).')
}
