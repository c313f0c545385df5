import { accountDisabled } from '../accounts/authorise.js'
import { Problem } from '../problems/problem.js'
import type { HoldResult, Milli } from '../store/types.js'
import { toCredits } from '../store/amount.js'
import { capRefusal, type CapsOfKey } from './cap-refusal.js'

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
