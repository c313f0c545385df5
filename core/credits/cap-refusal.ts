import { Problem } from '../problems/problem.js'
import type { CapRoom, Milli } from '../store/types.js'
import { toCredits } from '../store/amount.js'

const DAY_MS = 86_400_000

export interface CapsOfKey {
  readonly key: string
  /** Remaining amounts of each; empty when the ledger was unavailable. */
  readonly rooms: readonly CapRoom[]
  /** Unix milliseconds. */
  readonly now: number
}

/** The refusal of a call that costs more than its key's spending caps have left; names each, its rest and renewal. */
export function capRefusal(amount: Milli, { key, rooms, now }: CapsOfKey): Problem {
  const cost = `This call costs ${toCredits(amount)} credits`
  const short = rooms.flatMap(({ id, total, day }) => {
    const whose = id === key ? 'the key' : 'a key that this one descends from'
    return [
      ...(total !== null && total.left < amount ? [`${whose} has ${left(total)} in its credit_limit, which does not renew`] : []),
      ...(day !== null && day.left < amount
        ? [`${whose} has ${left(day)} in its credit_limit_per_day, which renews at ${renewal(now)}`]
        : []),
    ]
  })
  if (short.length > 0) return new Problem('key-not-allowed', `${cost}, and ${short.join('; ')}.`)
  return new Problem('key-not-allowed', `${cost}, more than the spending cap of the key had left (credit_limit or credit_limit_per_day).`)
}

function left({ limit, left: rest }: { readonly limit: Milli; readonly left: Milli }): string {
  return `${toCredits(rest)} credits left of ${toCredits(limit)} (${toCredits(limit - rest)} used or held by running calls)`
}

function renewal(now: number): string {
  return `${new Date((Math.floor(now / DAY_MS) + 1) * DAY_MS).toISOString().slice(0, 16)}Z`
}
