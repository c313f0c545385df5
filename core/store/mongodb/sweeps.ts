import type { SweepReport } from '../port.js'
import { settling, daysOf, type End } from './settle.js'
import { idOf, op, type Operator } from './filter.js'
import type { MongoDeps } from './deps.js'
import type { posts } from './posts.js'
import type { AccountDocument, EntryDocument, HoldField } from './documents.js'
import { storage } from './storage.js'

export interface SweepRequest {
  readonly now: number
  readonly graceMs: number
  readonly owner: string
  readonly deadOwners: readonly string[] | 'all-but-owner'
}

/** What one sweep takes of each kind; the next sweep goes on. */
const AT_ONCE = 2000

/** Accounts read together. */
const TOGETHER = 100

/** Entries lie this long with their account before a sweeper publishes them, in ms. */
const UNPUBLISHED_MS = 2000

/** Commands under way at once: a sweep must not take the connections from calls. */
const ABREAST = 8

/** Does the same for each, some at once; answers the sum. */
async function sumOver<T>(items: readonly T[], work: (item: T) => Promise<number>): Promise<number> {
  let sum = 0
  for (let at = 0; at < items.length; at += ABREAST) {
    for (const one of await Promise.all(items.slice(at, at + ABREAST).map(work))) sum += one
  }
  return sum
}

/** Recovery after a crash; every action is a conditional command, so that any number of sweepers may run at once and sweeping twice does nothing more. */
export function sweeps(deps: MongoDeps, { refund }: Pick<ReturnType<typeof posts>, 'refund'>) {
  const { accounts, entries, idempotency, leases } = deps.tables
  const room = storage(deps)

  /** Ends some holds of an account one by one: each may meanwhile have ended by itself, and then counts for whoever ended it. */
  const release = async (account: AccountDocument, lost: ReadonlyMap<string, HoldField>, end: End): Promise<number> => {
    const all = settling(account._id, lost, end, daysOf(account.caps))
    if (await accounts.update(all.filter, all.update)) return lost.size
    const again = await accounts.one({ _id: account._id }, { holds: 1, caps: 1 })
    if (again === null) return 0
    let released = 0
    for (const [id, hold] of lost) {
      if (again.holds[id] === undefined) continue
      const { filter, update } = settling(account._id, new Map([[id, hold]]), end, daysOf(again.caps))
      if (await accounts.update(filter, update)) released += 1
    }
    return released
  }

  const releaseWhere = async (request: SweepRequest, isLost: (hold: HoldField) => boolean, note: string): Promise<number> => {
    const end: End = { kind: 'release', amount: 0, owner: request.owner, note, facts: null, now: request.now }
    let released = 0
    for (let skip = 0; ; skip += TOGETHER) {
      const found = await accounts.many(
        { open: op({ $gt: 0 }) },
        { holds: 1, caps: 1 },
        { sort: { created_at: 1 }, hint: 'with_open_holds', limit: TOGETHER, skip },
      )
      released += await sumOver(found, async (account) => {
        const lost = new Map(Object.entries(account.holds).filter(([, hold]) => isLost(hold)))
        return lost.size === 0 ? 0 : await release(account, lost, end)
      })
      if (found.length < TOGETHER || released >= AT_ONCE) return released
    }
  }

  const publish = async (now: number, owners: ReadonlySet<string> | null): Promise<void> => {
    const old = now - UNPUBLISHED_MS
    const filter = owners === null || owners.size > 0 ? { since: op({ $exists: true }) } : { since: op({ $lt: old }) }
    const found = await accounts.many(filter, { since: 1, 'out.own': 1, 'out.kind': 1 }, { sort: { since: 1 }, limit: AT_ONCE })
    const lost = (account: AccountDocument): boolean => owners === null || account.out.some(({ own }) => owners.has(own))
    const due = found.filter((account) => (account.since ?? 0) < old || lost(account))
    const failed = await deps.publisher.attempt(due.filter((account) => account.out.length > 0).map((account) => account._id))
    for (const [account, { message }] of failed) deps.log('the entries of an account cannot be published', { account, error: message })
    const clean = due.filter((account) => account.out.length === 0)
    await accounts.bulk(clean.map(({ _id }) => ({ filter: { _id, 'out.0': op({ $exists: false }) }, update: { $unset: { since: 1 } } })))
  }

  /** Expired keys; those that run are kept until their lock has passed. */
  const forget = async (now: number): Promise<number> => {
    const over = { expires: op({ $lte: now }) }
    const found = await idempotency.many(over, { st: 1, lock: 1 }, { sort: { expires: 1 }, limit: AT_ONCE })
    const gone = found.filter(({ st, lock }) => st !== 'running' || lock <= now)
    return await sumOver(gone, async ({ _id, st }) => {
      const filter = st === 'running' ? { _id, ...over, st, lock: op({ $lte: now }) } : { _id, ...over, st }
      const taken = await idempotency.take(filter, { acct: 1, bytes: 1 })
      if (taken !== null) await room.count(taken.acct, 0 - taken.bytes)
      return taken === null ? 0 : 1
    })
  }

  /** Published charges whose answers were never written, unless an answer is kept for replay. */
  const undelivered = async (owners: Operator): Promise<Pick<EntryDocument, 'acct' | 'ref'>[]> => {
    const filter = { own: owners, kind: 'charge', delivered: null }
    for (let skip = 0; ; skip += AT_ONCE) {
      const found = await entries.many(filter, { acct: 1, ref: 1 }, { sort: { own: 1, acct: 1, ref: 1 }, limit: AT_ONCE, skip })
      const kept = await idempotency.many({ hid: op({ $in: found.map((entry) => entry.ref) }), st: 'ready' }, { acct: 1, hid: 1 })
      const replayed = new Set(kept.map(({ acct, hid }) => idOf(acct, hid)))
      const lost = found.filter(({ acct, ref }) => !replayed.has(idOf(acct, ref)))
      if (lost.length > 0 || found.length < AT_ONCE) return lost
    }
  }

  const refundAll = async (lost: readonly Pick<EntryDocument, 'acct' | 'ref'>[], { owner, now }: SweepRequest): Promise<number> => {
    const refunded = await sumOver(lost, async ({ acct: account, ref: hold }) => {
      const result = await refund({ account, hold, reason: 'gateway ended before the answer was delivered', owner, now })
      return result.ok && result.applied ? 1 : 0
    })
    // Publishing a refund is what takes its charge off the list of undelivered ones.
    await deps.publisher.attempt([...new Set(lost.map((entry) => entry.acct))])
    return refunded
  }

  return {
    /** `all-but-owner` means everyone whose lease is not alive: other gateways may be at work on the same store. */
    sweep: async (request: SweepRequest): Promise<SweepReport> => {
      const { now, owner, deadOwners } = request
      const everyone = deadOwners === 'all-but-owner'
      const alive = everyone ? (await leases.many({ expires: op({ $gt: now }) }, { _id: 1 })).map((lease) => lease._id) : []
      const spared = new Set([owner, ...alive])
      let released = await releaseWhere(request, (hold) => hold.dl < now - request.graceMs, 'deadline passed')
      if (everyone) released += await releaseWhere(request, (hold) => !spared.has(hold.own), 'gateway ended')
      await publish(now, everyone ? null : new Set(deadOwners))
      const forgotten = await forget(now)
      const dead = op(everyone ? { $nin: [...spared] } : { $in: deadOwners })
      const lost = await undelivered(dead)
      const refunded = await refundAll(lost, request)
      // While charges of the dead are left, their leases say whose they are.
      const ended = lost.length < AT_ONCE ? await leases.remove({ _id: dead }) : 0
      return { released, refunded, idempotency: forgotten, leases: ended, aside: [] }
    },
  }
}
