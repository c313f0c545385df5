import { nullable, Type, type HandlerContext } from '../../../core/sdk/index.js'
import { registrationFind } from '../../registration/contract.js'

const DAY_MS = 86_400_000
const DAY_S = 86_400
const registeredAt = Type.Object({ created: nullable(Type.String()) })

/**
 * Days since a domain was registered, as text; null when its registry does not publish it. The date is cached for a
 * day.
 */
export async function domainAge<S>(domain: string, context: HandlerContext<S>, now = Date.now()): Promise<string | null> {
  const { created } = await context.cache.get(['registered', domain], { shape: registeredAt, seconds: DAY_S }, async (own) => ({
    created: (await own.call(registrationFind, { domain, contacts: false })).created,
  }))
  const days = created === null ? NaN : Math.floor((now - Date.parse(created)) / DAY_MS)
  return days >= 0 ? String(days) : null
}
