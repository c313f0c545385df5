import { Problem } from '../problems/problem.js'
import type { CapRoom, HoldResult, Milli } from '../store/types.js'
import { toCredits } from '../store/amount.js'
import { accountDisabled } from '../accounts/caller.js'

const DAY_MS = 86_400_000

interface CapsOfKey {
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

/** The requested hold. */
interface Wanted {
  readonly amount: Milli
  readonly storedBelow?: number
}

/** The problem of a call whose hold was refused; `caps` are those of its key, with their remaining amounts. */
export function holdRefusal(result: Exclude<HoldResult, { ok: true }>, order: Wanted, caps: CapsOfKey): Problem {
  switch (result.why) {
    case 'insufficient':
      return new Problem(
        'insufficient-credits',
        `This call costs ${toCredits(order.amount)} credits and the account has ${toCredits(result.available)} available (balance ${toCredits(result.balance)}, held by running calls ${toCredits(result.held)}).`,
        {
          action:
            'Add credits with capstan credits grant --account <id> --amount <credits> --ref <reference>, or raise the overage limit with PATCH /admin/v1/accounts/<id>.',
        },
      )
    case 'too-many-open':
      return new Problem(
        'too-many-in-flight',
        'The account has as many calls running as its concurrency limit allows (limits.account_concurrency).',
        { retryAfterSeconds: 1 },
      )
    case 'capped':
      return capRefusal(order.amount, caps)
    case 'full':
      return new Problem(
        'overloaded',
        `The account's files and kept answers take its quota of ${((order.storedBelow ?? 0) / 1024 ** 3).toFixed(2)} GiB (artifacts_quota), and the answer to a call with an Idempotency-Key is kept for a day. Files and answers expire by themselves.`,
        { retryAfterSeconds: 60 },
      )
    case 'disabled':
      return accountDisabled()
    case 'stale-auth':
    case 'absent':
      return new Problem('invalid-api-key', 'The API key is mistyped, unknown, revoked or expired.')
    case 'duplicate':
      return new Problem('internal', 'The gateway failed on this call. Nothing was charged.', { internal: 'a hold id was used twice' })
  }
}
