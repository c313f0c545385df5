import { toCredits } from '../credits/amount.js'
import type { Replay } from '../idempotency/desk.js'
import { Problem } from '../problems/problem.js'
import type { Milli } from '../store/port.js'
import type { CallOrder, CallOutcome } from './order.js'
import type { CallServices } from './services.js'

/** A kept answer, byte for byte, once it is sure that it was paid for. Throws 402 when the money is gone. */
export async function replayOutcome(services: CallServices, order: CallOrder, replay: Replay): Promise<CallOutcome> {
  const balance = replay.amount === 0 ? services.balances.of(order.caller) : await assurePaid(services, order, replay)
  return {
    status: replay.status,
    body: replay.body,
    creditsUsed: replay.amount,
    balance,
    replayed: true,
    recorded: true,
    problem: null,
    delivered: () => undefined,
    lost: () => Promise.resolve(),
  }
}

/** Charges the hold if it is still open, posts the charge if a sweeper had released it, and does nothing if it was charged. */
async function assurePaid(services: CallServices, order: CallOrder, { hold, amount, facts }: Replay): Promise<Milli> {
  const { ledger, clock, instance } = services
  const account = order.caller.account.id
  const { state } = await ledger.resolve(account, hold)
  if (state === 'charged') return (await ledger.balance(account))?.balance ?? services.balances.of(order.caller)
  if (state === 'open') {
    const charged = await ledger.charge({ account, hold, amount, owner: instance, facts, now: clock.now() })
    if (charged.ok) return charged.balance
  }
  const posted = await ledger.post({
    account,
    ref: `late:${hold}`,
    kind: 'charge',
    amount: -amount,
    note: 'answer kept under an Idempotency-Key',
    facts,
    owner: instance,
    now: clock.now(),
  })
  if (posted.ok) return posted.balance
  throw new Problem(
    'insufficient-credits',
    `The answer kept for this Idempotency-Key costs ${toCredits(amount)} credits, which the account no longer has.`,
  )
}
