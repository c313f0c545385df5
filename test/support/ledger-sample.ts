import type { Store } from '../../core/store/types.js'
import { answer, artifactOf, chargeOf, claimOf, facts, furnish, holdOf, keyOf, NOON, releaseOf } from './store.js'

/** Some of everything, in two accounts: open, charged, released, refunded, capped, kept. */
export async function fillLedger(store: Store): Promise<void> {
  await furnish(store, 100_000)
  await furnish(store, 100_000, 'other')
  await store.keys.create(keyOf({ id: 'capped', credit_limit: 50_000, credit_limit_per_day: 20_000 }))
  const hold = async (change = {}) => {
    const request = holdOf(change)
    await store.ledger.hold(request)
    return request.hold
  }
  for (let count = 0; count < 6; count++) await store.ledger.charge(chargeOf(await hold(), 700))
  await store.ledger.charge(
    chargeOf(await hold({ key: 'capped', capped: true }), 500, { facts: facts({ endpoint: '/v1/scrape', key_id: 'capped' }) }),
  )
  await store.ledger.release(releaseOf(await hold()))
  const refunded = await hold({ hold: 'refunded' })
  await store.ledger.charge(chargeOf(refunded))
  await store.ledger.refund({ account: 'acc', hold: refunded, reason: 'client gone', owner: 'gw1', now: NOON })
  const kept = await hold({ hold: 'kept' })
  await store.idempotency.claim(claimOf({ hold: kept }))
  await store.idempotency.keep({ account: 'acc', key: 'idem', attempt: 1, hold: kept, response: answer(), now: NOON })
  await store.ledger.charge(chargeOf(kept, 1000, { delivery: 'none' }))
  await hold({ hold: 'open' })
  await hold({ hold: 'open capped', key: 'capped', capped: true })
  await store.artifacts.reserve(artifactOf(), 10_000)
}
