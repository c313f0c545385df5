import { Fault, Type, type Cap, type Caps, type CapTaken, type HandlerContext } from '../../../core/sdk/index.js'
import type { MessageSettings } from '../settings.js'
import { historyOf, WEEK } from './history.js'

type Context = HandlerContext<MessageSettings>

const NAME = 'messages_to_a_country'
const DAY_MS = 86_400_000
const mean = Type.Number({ minimum: 0 })
/** Seconds for which a mean is used before the counts are read again. */
const KEPT = 3_600

/**
 * Counts one message to a country, for its day and for the means of later days. A country that reached its daily
 * limit, or `country_factor` times the mean of its last seven days, is paused until the next day: a `busy` Fault,
 * with a note.
 */
export async function takeOfCountry(country: string, ctx: Context): Promise<CapTaken[]> {
  const { per_country_per_day: most, country_factor: factor, country_floor: floor } = ctx.settings
  const cap: Cap = { most, per: 'day', of: 'gateway', subject: country, setting: 'per_country_per_day' }
  const { resets_at } = await ctx.caps.left(NAME, cap)
  const today = Math.round(Date.parse(resets_at) / DAY_MS) - 1
  const usual = factor === 0 ? null : await meanOf(country, today, ctx)
  const bound = usual === null ? most : Math.min(most, Math.max(floor, Math.floor(factor * usual)))
  const taken = await ofToday(
    { ...cap, most: bound, ...(bound < most ? { setting: 'country_factor' } : {}) },
    { country, usual, resets_at },
    ctx,
  )
  return [taken, await ctx.caps.take(...historyOf(country, today))]
}

interface Paused {
  readonly country: string
  readonly usual: number | null
  readonly resets_at: string
}

async function ofToday(cap: Cap, { country, usual, resets_at }: Paused, ctx: Context): Promise<CapTaken> {
  try {
    return await ctx.caps.take(NAME, cap)
  } catch (error) {
    if (Fault.is(error) && cap.setting === 'country_factor') {
      const figures = `${String(cap.most)} messages today, ${(usual ?? 0).toFixed(1)} a day in the last ${String(WEEK)} days`
      ctx.note(
        `Messages to ${country} are paused until ${resets_at}: far more than usual were sent (${figures}; plugins.messages.country_factor, country_floor).`,
      )
      ctx.log('messages to a country are paused', { country, most: cap.most, usual })
    }
    throw error
  }
}

/** Messages per day in the seven days before `today` (days since 1970), read at most once an hour for all callers. */
function meanOf(country: string, today: number, ctx: Context): Promise<number> {
  return ctx.cache.get(['mean', country, today], { shape: mean, seconds: KEPT }, async ({ caps }) => {
    const counts = await Promise.all(Array.from({ length: WEEK }, (_, ago) => countOf(country, today - 1 - ago, caps)))
    return counts.reduce((sum, count) => sum + count, 0) / WEEK
  })
}

async function countOf(country: string, day: number, caps: Caps): Promise<number> {
  const [name, cap] = historyOf(country, day)
  return cap.most - (await caps.left(name, cap)).left
}
