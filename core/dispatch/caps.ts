import type { CapCounts, CapOrder, CapOutcome } from '../limits/caps.js'
import { Problem } from '../problems/problem.js'
import { Fault, type Cap, type Caps, type CapState } from '../sdk/index.js'
import type { SharedNames } from '../runtime/id.js'
import type { CallState } from './call.js'

const DAY_S = 86_400
const LONGEST_S = 31 * DAY_S
const NAME = /^[a-z][a-z0-9_]{0,63}$/
const LONGEST_SUBJECT = 16_384

interface CapsScope {
  readonly counts: CapCounts
  readonly names: SharedNames
  /** The plugin that calls: each has its own names. */
  readonly plugin: string
  readonly call: Pick<CallState, 'account' | 'key'>
}

/** The caps of one plugin for one call. */
export function capsOf(scope: CapsScope): Caps {
  const { counts } = scope
  return {
    take: async (name, cap, amount = 1) => {
      if (!Number.isSafeInteger(amount) || amount < 1) throw new TypeError(`caps.take: ${String(amount)} of ${name} cannot be taken`)
      const order = orderOf(scope, name, cap, amount)
      const outcome = await counts.take(order)
      if (!outcome.taken) throw refusal(scope.plugin, { name, cap, amount, outcome })
      const { id, windowMs } = order
      let given = false
      return {
        ...stateOf(cap, outcome),
        giveBack: async () => {
          if (given) return
          given = true
          await counts.giveBack({ id, windowMs, amount, window: outcome.window })
        },
      }
    },
    left: async (name, cap) => stateOf(cap, await counts.take(orderOf(scope, name, cap, 0))),
  }
}

function orderOf(
  { names, plugin, call }: CapsScope,
  name: string,
  { most, per, of = 'account', subject = '' }: Cap,
  amount: number,
): CapOrder {
  const seconds = per === 'day' ? DAY_S : per
  if (!NAME.test(name)) throw new TypeError(`caps: "${name.slice(0, 64)}" is not a name of lower-case letters, digits and underscores`)
  if (!Number.isSafeInteger(most) || most < 0) throw new TypeError(`caps: most of ${name} is not a whole number from 0 on`)
  if (!Number.isSafeInteger(seconds) || seconds < 1 || seconds > LONGEST_S)
    throw new TypeError(`caps: ${name} is per ${String(per)}, which is neither day nor 1 to ${LONGEST_S} whole seconds`)
  if (subject.length > LONGEST_SUBJECT) throw new TypeError(`caps: the subject of ${name} is longer than ${LONGEST_SUBJECT} characters`)
  const whose = of === 'gateway' ? '' : call[of]
  return { id: names.of('cap', plugin, name, String(seconds), of, whose, subject), most, windowMs: seconds * 1_000, amount }
}

function stateOf({ most }: Cap, { left, endsAt }: CapOutcome): CapState {
  return { most, left, resets_at: timeOf(endsAt) }
}

function refusal(plugin: string, about: { name: string; cap: Cap; amount: number; outcome: CapOutcome }): Fault {
  const { name, cap, amount, outcome } = about
  const { most, per, of = 'account', subject, setting } = cap
  const time = per === 'day' ? 'a day (UTC)' : `in ${per} seconds`
  const whose = [of === 'gateway' ? 'this gateway' : `this ${of}`, ...(subject === undefined ? [] : ['this target'])].join(' and ')
  const place = setting === undefined ? null : setting.includes('.') ? setting : `plugins.${plugin}.${setting}`
  const named = place === null ? '' : ` (${place})`
  const message = `The cap of ${most} ${name.replaceAll('_', ' ')} ${time} for ${whose}${named} leaves ${outcome.left}, and ${amount} ${amount === 1 ? 'is' : 'are'} needed; the count starts again at ${timeOf(outcome.endsAt)}.`
  const retryAfterSeconds = Math.max(1, Math.ceil(outcome.leftMs / 1_000))
  const action =
    place === null ? 'Wait as long as Retry-After says.' : `Wait as long as Retry-After says, or ask the operator for a higher ${place}.`
  const cause = new Problem('rate-limited', message, { retryAfterSeconds, action })
  return new Fault('busy', message, { retryAfterSeconds, unavailable: true, cause })
}

function timeOf(ms: number): string {
  return new Date(Math.ceil(ms / 1_000) * 1_000).toISOString().replace('.000', '')
}
