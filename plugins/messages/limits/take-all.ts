import type { Cap, CapTaken, HandlerContext } from '../../../core/sdk/index.js'
import type { RecipientNumber } from '../number.js'
import type { MessageSettings } from '../settings.js'
import { takeOfCountry } from './country.js'

type Context = HandlerContext<MessageSettings>

/**
 * Counts one message toward every cap, over all replicas. Throws the `busy` Fault of the first exhausted one, with
 * nothing counted. The returned function undoes the count.
 */
export async function takeAll(recipient: RecipientNumber, ctx: Context): Promise<() => Promise<void>> {
  const taken: CapTaken[] = []
  const giveBack = async (): Promise<void> => {
    await Promise.all(taken.map((each) => each.giveBack()))
  }
  try {
    for (const [name, cap] of capsOf(recipient, ctx.settings)) taken.push(await ctx.caps.take(name, cap))
    taken.push(...(await takeOfCountry(recipient.country, ctx)))
  } catch (error) {
    await giveBack()
    throw error
  }
  return giveBack
}

/** Limits per number and number range apply across accounts: the recipient is protected regardless of the sender. */
function capsOf({ number, prefix }: RecipientNumber, settings: MessageSettings): (readonly [name: string, cap: Cap])[] {
  return [
    ['messages', { most: settings.per_account_per_day, per: 'day', setting: 'per_account_per_day' }],
    [
      'messages_to_a_number',
      { most: settings.per_number_per_10_minutes, per: 600, of: 'gateway', subject: number, setting: 'per_number_per_10_minutes' },
    ],
    [
      'messages_to_a_number',
      { most: settings.per_number_per_day, per: 'day', of: 'gateway', subject: number, setting: 'per_number_per_day' },
    ],
    [
      'messages_to_a_prefix',
      { most: settings.per_prefix_per_day, per: 'day', of: 'gateway', subject: prefix, setting: 'per_prefix_per_day' },
    ],
  ]
}
