import { toCredits } from '../store/amount.js'
import { accountDisabled } from '../accounts/caller.js'
import type { Replay } from './idempotency/service.js'
import { Problem } from '../problems/problem.js'
import { StoreUnavailable, type Milli } from '../store/types.js'
import type { CallOrder, CallOutcome, CallServices } from './order.js'

/** A key read within this time is not reloaded, in milliseconds. */
const CURRENT_MS = 1_000
/** Most late charges: one that was refunded is posted again under another reference. */
const MOST_LATE_CHARGES = 5

/** The kept answer, byte for byte, after ensuring that it is paid for. Throws 402 when the credits are insufficient. */
export async function replayOutcome(services: CallServices, order: CallOrder, replay: Replay): Promise<CallOutcome> {
  await assertCurrent(services, order)
  const { balance, charged } =
    replay.amount === 0 ? { balance: services.balances.of(order.caller), charged: false } : await assurePaid(services, order, replay)
  return {
    status: replay.status,
    body: replay.body,
    creditsUsed: replay.amount,
    charged: charged ? replay.amount : 0,
    balance,
    replayed: true,
    recorded: true,
    costly: false,
    problem: null,
    slug: replay.facts.error ?? '',
    provider: replay.facts.provider_used,
    isFinal: true,
    delivered: () => undefined,
    lost: () => Promise.resolve(),
  }
}

/** Detects a key revoked since it was cached: a replay holds no credits, which would otherwise detect it. */
async function assertCurrent({ clock }: CallServices, { caller, refresh }: CallOrder): Promise<void> {
  if (clock.monotonic() - caller.readAt < CURRENT_MS) return
  const { account } = await refresh()
  if (account.disabled) throw accountDisabled()
}

/**
 * Ensures that exactly one charge is in effect for a kept answer: the hold's own, or a late one after a release or refund.
 * Throws 402 when the credits are insufficient, StoreUnavailable when the outcome is unknown.
 */
async function assurePaid(services: CallServices, order: CallOrder, replay: Replay): Promise<{ balance: Milli; charged: boolean }> {
  const { ledger, ledgerStore, clock, instance } = services
  const account = order.caller.account.id
  const { hold, amount, facts } = replay
  // A charge whose reply was lost may still be refunded: wait until it is settled.
  await ledger.settled(hold)
  let found = await ledgerStore.resolve(account, hold)
  if (found.state === 'open') {
    const charged = await ledgerStore.charge({ account, hold, amount, owner: instance, facts, delivery: 'none', now: clock.now() })
    if (charged.ok && !charged.already) return { balance: charged.balance, charged: true }
    found = await ledgerStore.resolve(account, hold)
  }
  if (found.state === 'charged') return { balance: found.balance ?? services.balances.of(order.caller), charged: false }
  for (let attempt = 1; attempt <= MOST_LATE_CHARGES; attempt++) {
    const charge = `late${attempt === 1 ? '' : attempt}:${hold}`
    const posted = await postLate(services, order, { replay, charge })
    if (posted !== null) return posted
  }
  throw new StoreUnavailable(`the charge of a kept answer was refunded ${MOST_LATE_CHARGES} times`)
}

/** Posts a late charge, once for its reference. Returns the balance and whether it was new; null when refunded. */
async function postLate(
  services: CallServices,
  order: CallOrder,
  { replay, charge }: { replay: Replay; charge: string },
): Promise<{ balance: Milli; charged: boolean } | null> {
  const { ledgerStore, clock, instance } = services
  const account = order.caller.account.id
  const { amount, facts } = replay
  const note = 'answer kept under an Idempotency-Key'
  const posted = await ledgerStore.post({
    account,
    ref: charge,
    kind: 'charge',
    amount: -amount,
    note,
    facts,
    owner: instance,
    now: clock.now(),
  })
  if (posted.ok)
    return !posted.applied && (await ledgerStore.resolve(account, charge)).state === 'refunded'
      ? null
      : { balance: posted.balance, charged: posted.applied }
  throw new Problem(
    'insufficient-credits',
    `The answer kept for this Idempotency-Key costs ${toCredits(amount)} credits, which the account no longer has.`,
  )
}
