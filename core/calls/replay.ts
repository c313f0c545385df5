import { toCredits } from '../credits/amount.js'
import type { Replay } from '../idempotency/service.js'
import { Problem } from '../problems/problem.js'
import type { Milli } from '../store/port.js'
import type { CallOrder, CallOutcome } from './order.js'
import type { CallServices } from './services.js'

/** A kept answer, byte for byte, once it is sure that it was paid for. Throws 402 when the money is gone. */
export async function replayOutcome(services: CallServices, order: CallOrder, replay: Replay): Promise<CallOutcome> {
  const { balance, charge } =
    replay.amount === 0 ? { balance: services.balances.of(order.caller), charge: null } : await assurePaid(services, order, replay)
  return {
    status: replay.status,
    body: replay.body,
    creditsUsed: replay.amount,
    balance,
    replayed: true,
    recorded: true,
    problem: null,
    // Whoever gets the answer only now has still got it: without the mark the charge would be given back once its gateway ends.
    delivered: () => {
      if (charge !== null) services.deliveries.mark(order.caller.account.id, charge)
    },
    lost: () => Promise.resolve(),
  }
}

/** Charges the hold if it is still open, posts the charge if a sweeper had released it, and does nothing if it was charged; answers the charge's reference. */
async function assurePaid(
  services: CallServices,
  order: CallOrder,
  { hold, amount, facts }: Replay,
): Promise<{ balance: Milli; charge: string }> {
  const { ledgerStore, clock, instance } = services
  const account = order.caller.account.id
  const { state } = await ledgerStore.resolve(account, hold)
  if (state === 'charged')
    return { balance: (await ledgerStore.balance(account))?.balance ?? services.balances.of(order.caller), charge: hold }
  if (state === 'open') {
    const charged = await ledgerStore.charge({ account, hold, amount, owner: instance, facts, now: clock.now() })
    if (charged.ok) return { balance: charged.balance, charge: hold }
  }
  const late = `late:${hold}`
  const posted = await ledgerStore.post({
    account,
    ref: late,
    kind: 'charge',
    amount: -amount,
    note: 'answer kept under an Idempotency-Key',
    facts,
    owner: instance,
    now: clock.now(),
  })
  if (posted.ok) return { balance: posted.balance, charge: late }
  throw new Problem(
    'insufficient-credits',
    `The answer kept for this Idempotency-Key costs ${toCredits(amount)} credits, which the account no longer has.`,
  )
}
