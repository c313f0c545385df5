import type { KeyStore, SweepReport } from '../types.js'
import { deadOwners } from './dead-owners.js'
import type { MongoDeps } from './deps.js'
import { expired } from './expired.js'
import { plainText } from './filter.js'
import { gatewaysAlive } from './gateways.js'
import { overdue } from './overdue.js'
import type { posts } from './posts.js'
import type { SweepRequest } from './sweep-request.js'

/** Keys whose account's epoch is raised in one sweep. */
const MOST_DUE = 200

/** Recovery after a crash, by conditional commands: sweepers may run at once, and sweeping twice changes nothing. */
export function sweeps(deps: MongoDeps, posting: Pick<ReturnType<typeof posts>, 'refund'>, keys: Pick<KeyStore, 'revoke' | 'expire'>) {
  const { releaseOverdue, releaseOthers } = overdue(deps)
  const { settleOwner, ownersExcept } = deadOwners(deps, posting)
  const { forget } = expired(deps)

  /** Finishes changes of keys that were interrupted between their two writes. */
  const finishKeys = async (now: number): Promise<void> => {
    for (const key of await deps.tables.keys.many({ due: true }, { acct: 1, revoked_at: 1, expires_at: 1 }, { limit: MOST_DUE })) {
      if (key.revoked_at !== null) await keys.revoke(key.acct, key._id, now)
      else if (key.expires_at !== null) await keys.expire(key.acct, key._id, key.expires_at)
    }
  }

  /** Logs a failure instead of throwing: an account that cannot be published must not stop the sweep. */
  const publishOwn = async (owner: string): Promise<void> => {
    try {
      await deps.publishing.round(owner)
    } catch (error) {
      deps.log('publishing-failed', 'entries could not be published yet', { error: String(error) })
    }
  }

  return {
    /** `all-but-owner` means every owner without a live lease: other gateways may use the same store. */
    sweep: async (order: SweepRequest): Promise<SweepReport> => {
      if (order.deadOwners !== 'all-but-owner') for (const owner of order.deadOwners) plainText(owner, 'an owner')
      const request = { ...order, now: deps.clock.correct(order.now) }
      const { now, owner } = request
      const everyone = request.deadOwners === 'all-but-owner'
      const spared = new Set(everyone ? [owner, ...(await gatewaysAlive(deps.tables, now))] : [])
      let released = await releaseOverdue(request)
      if (everyone) released += await releaseOthers(request, spared)
      await publishOwn(owner)
      const idempotency = await forget(now)
      await finishKeys(now)
      const dead = request.deadOwners === 'all-but-owner' ? await ownersExcept(spared) : request.deadOwners
      let refunded = 0
      let ended = 0
      for (const each of new Set(dead)) {
        const settled = await settleOwner(each, request)
        refunded += settled.refunded
        if (settled.ended) ended += 1
      }
      await deps.publisher.attempt(deps.publisher.aside.due())
      return { released, refunded, idempotency, leases: ended, aside: deps.publisher.aside.list() }
    },
  }
}
