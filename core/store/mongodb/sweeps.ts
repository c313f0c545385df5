import { type Filter, idOf, op, plainText } from './filter.js'
import type { MongoDeps } from './deps.js'
import type { AccountDocument, EntryDocument, HoldField, IdempotencyDocument } from './documents.js'
import type { posts } from './posts.js'
import { PUBLISH_BATCH } from './publisher.js'
import { storage } from './artifacts.js'
import type { Change, Fields, Update } from './table.js'
import type { Collections } from './collections.js'
import { daysOf, type End, settling } from './settle.js'
import type { KeyStore, SweepReport, SweepRequest } from '../types.js'
import { gatewaysAlive } from './gateways.js'

/** Concurrent commands: a sweep must leave connections for calls. */
const CONCURRENT = 8

/** Runs `work` for each item, some concurrently; returns the sum of the results. */
async function sumOver<T>(items: readonly T[], work: (item: T) => Promise<number>): Promise<number> {
  let sum = 0
  for (let at = 0; at < items.length; at += CONCURRENT) {
    for (const one of await Promise.all(items.slice(at, at + CONCURRENT).map(work))) sum += one
  }
  return sum
}

/** Charges per page. */
const CHARGES_PER_PAGE = 500

/** Refunds of one owner in one sweep; the next sweep continues. */
const MOST_REFUNDS = 2000

/** Accounts of an owner that cannot be published are skipped, up to this many in one sweep. */
const MOST_FAILED = 1000

const CHARGE = { acct: 1, ref: 1, n: 1 } as const

type Charge = Pick<EntryDocument, 'acct' | 'ref' | 'n'>

interface SettledOwner {
  readonly refunded: number
  readonly ended: boolean
}

/** Refunds the unsettled charges of gateways that have ended. */
function deadOwners(deps: MongoDeps, { refund }: Pick<ReturnType<typeof posts>, 'refund'>) {
  const { accounts, entries, gateways } = deps.tables

  /** Publishes the owner's entries; true when all are in the journal, where its charges can be found. */
  const publishAll = async (owner: string): Promise<boolean> => {
    const failed: string[] = []
    while (failed.length < MOST_FAILED) {
      const others = failed.length === 0 ? {} : { _id: op({ $nin: failed }) }
      const found = await accounts.many({ 'out.own': owner, ...others }, { _id: 1 }, { limit: PUBLISH_BATCH })
      failed.push(...(await deps.publisher.attempt(found.map(({ _id }) => _id))).keys())
      if (found.length < PUBLISH_BATCH) break
    }
    return failed.length === 0
  }

  /** The charges not yet refunded. */
  const stillLost = async (found: readonly Charge[]): Promise<Charge[]> => {
    if (found.length === 0) return []
    const refs = { acct: op({ $in: [...new Set(found.map(({ acct }) => acct))] }), ref: op({ $in: found.map(({ ref }) => `rf:${ref}`) }) }
    const refunds = await entries.many(refs, { acct: 1, ref: 1 })
    const refunded = new Set(refunds.map(({ acct, ref }) => idOf(acct, ref)))
    return found.filter(({ acct, ref }) => !refunded.has(idOf(acct, `rf:${ref}`)))
  }

  const refundAll = async (lost: readonly Charge[], { owner, now }: SweepRequest): Promise<number> => {
    const reason = 'gateway ended before the answer was delivered'
    const refunded = await sumOver(lost, async ({ acct: account, ref: hold }) => {
      const result = await refund({ account, hold, reason, owner, now })
      return result.ok && result.applied ? 1 : 0
    })
    // `stillLost` of the next sweep finds refunds in the journal only.
    await deps.publisher.attempt([...new Set(lost.map(({ acct }) => acct))])
    return refunded
  }

  /** Refunds lost charges page by page; `all` when none is left. */
  const refundPages = async (
    pages: AsyncIterable<readonly Charge[]>,
    request: SweepRequest,
  ): Promise<{ refunded: number; all: boolean }> => {
    let refunded = 0
    for await (const page of pages) {
      refunded += await refundAll(await stillLost(page), request)
      if (refunded >= MOST_REFUNDS) return { refunded, all: false }
    }
    return { refunded, all: true }
  }

  /** Charges that their owner's document does not mark as settled. */
  async function* unsettled(own: string, upto: number, open: readonly number[]): AsyncGenerator<readonly Charge[]> {
    for (let at = 0; at < open.length; at += CHARGES_PER_PAGE)
      yield await entries.many({ own, n: op({ $in: open.slice(at, at + CHARGES_PER_PAGE) }), delivered: null }, CHARGE)
    for (let last = upto; ;) {
      const found = await entries.many({ own, n: op({ $gt: last }), delivered: null }, CHARGE, {
        sort: { own: 1, n: 1 },
        limit: CHARGES_PER_PAGE,
      })
      yield found
      if (found.length < CHARGES_PER_PAGE) return
      last = found.at(-1)?.n ?? last
    }
  }

  return {
    /** Refunds a gateway's undelivered charges and ends it when none is left, unless it has renewed its lease. */
    settleOwner: async (owner: string, request: SweepRequest): Promise<SettledOwner> => {
      const published = await publishAll(owner)
      const found = await gateways.one({ _id: owner }, { expires: 1, upto: 1, open: 1, late: 1 })
      if ((found?.expires ?? 0) > request.now) return { refunded: 0, ended: false }
      const { refunded, all } = await refundPages(unsettled(owner, found?.upto ?? 0, found?.open ?? []), request)
      if (!published || !all) return { refunded, ended: false }
      // A charge published after this read is left to another sweep.
      const over = { _id: owner, expires: op({ $lte: request.now }), late: found?.late ?? null }
      return { refunded, ended: await gateways.update(over, { $set: { ended: true }, $unset: { expires: 1 } }) }
    },

    /** Owners that may have left charges or entries, except `spared`. */
    ownersExcept: async (spared: ReadonlySet<string>): Promise<string[]> => {
      const known = (await gateways.many({ expires: op({ $exists: true }), own: op({ $exists: false }) }, { _id: 1 })).map(({ _id }) => _id)
      const charging = await entries.distinct('own', { n: op({ $exists: true }) })
      const entering = await accounts.distinct('out.own', { 'out.own': op({ $exists: true }) })
      return [...new Set([...known, ...charging, ...entering])].filter((owner) => !spared.has(owner))
    },
  }
}

/** Records removed by one command. */
const BATCH = 500

/** Longest time a sweep removes expired records, in ms; the next one continues. */
const BUDGET_MS = 2000

/** Removes expired idempotency records; running ones only once their lock has expired. */
function expired(deps: Pick<MongoDeps, 'tables' | 'clock'>) {
  const { idempotency } = deps.tables
  const room = storage(deps)

  /** Subtracts the bytes of the records when all were removed here; recounts when another sweep removed some. */
  const releaseRoom = async (found: readonly IdempotencyDocument[], removed: number, now: number): Promise<void> => {
    const bytes = new Map<string, number>()
    for (const one of found) if (one.bytes > 0) bytes.set(one.acct, (bytes.get(one.acct) ?? 0) + one.bytes)
    if (removed === found.length) await room.countAll(bytes)
    else if (removed > 0) for (const account of bytes.keys()) await room.recount({ account, now })
  }

  const removeSome = async (now: number): Promise<{ found: number; removed: number }> => {
    const over = { expires: op({ $lte: now }) }
    const found = await idempotency.many(over, { acct: 1, st: 1, lock: 1, bytes: 1 }, { sort: { expires: 1 }, limit: BATCH })
    const gone = found.filter(({ st, lock }) => st !== 'running' || lock <= now)
    const ids = (running: boolean) => op({ $in: gone.filter(({ st }) => (st === 'running') === running).map(({ _id }) => _id) })
    let removed = 0
    if (gone.some(({ st }) => st !== 'running'))
      removed += await idempotency.remove({ _id: ids(false), ...over, st: op({ $in: ['ready', 'final'] }) })
    if (gone.some(({ st }) => st === 'running'))
      removed += await idempotency.remove({ _id: ids(true), ...over, st: 'running', lock: op({ $lte: now }) })
    await releaseRoom(gone, removed, now)
    return { found: found.length, removed }
  }

  return {
    forget: async (now: number): Promise<number> => {
      const until = deps.clock.monotonic() + BUDGET_MS
      let sum = 0
      for (;;) {
        const { found, removed } = await removeSome(now)
        sum += removed
        if (found < BATCH || removed === 0 || deps.clock.monotonic() > until) return sum
      }
    },
  }
}

/** Sets `dl` to the earliest deadline of the holds; removes it when there are none. */
function earliest(holds: Readonly<Record<string, Pick<HoldField, 'dl'>>>): Update {
  const deadlines = Object.values(holds).map(({ dl }) => dl)
  return deadlines.length === 0 ? { $unset: { dl: 1 } } : { $set: { dl: deadlines.reduce((least, one) => Math.min(least, one)) } }
}

/** Accounts per page. */
const OPEN_ACCOUNTS_PER_PAGE = 500

/** Pages of accounts with open holds, oldest account first, each account once. */
export async function* openAccounts(
  { accounts }: Pick<Collections, 'accounts'>,
  fields: Fields,
): AsyncGenerator<readonly AccountDocument[]> {
  let last = -Infinity
  let ties = new Set<string>()
  for (let limit = OPEN_ACCOUNTS_PER_PAGE; ;) {
    const range = Number.isFinite(last) ? { created_at: op({ $gte: last }) } : {}
    const where = { open: op({ $gt: 0 }), ...range }
    const found = await accounts.many(where, { ...fields, created_at: 1 }, { sort: { created_at: 1 }, hint: 'with_open_holds', limit })
    const fresh = found.filter(({ _id }) => !ties.has(_id))
    if (fresh.length > 0) yield fresh
    const end = found.at(-1)
    if (end === undefined || found.length < limit) return
    // More accounts share one `created_at` than fit a page: a larger page gets past those already seen.
    if (fresh.length === 0) limit *= 2
    const same = found.filter(({ created_at }) => created_at === end.created_at).map(({ _id }) => _id)
    ties = end.created_at === last ? new Set([...ties, ...same]) : new Set(same)
    last = end.created_at
  }
}

/** Holds that one sweep releases; the next sweep continues. */
const MOST_RELEASES = 2000

/** Accounts per page. */
const OVERDUE_PER_PAGE = 200

const FIELDS = { holds: 1, caps: 1, ver: 1, dl: 1 } as const

type LostHolds = ReadonlyMap<string, HoldField>

/** Releases holds whose calls have died. */
function overdue({ tables }: Pick<MongoDeps, 'tables'>) {
  const { accounts } = tables

  /** Releases holds of an account, together or else one by one; returns how many were still open. */
  const release = async (account: AccountDocument, lost: LostHolds, end: End): Promise<number> => {
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

  const endOf = (request: SweepRequest, note: string): End => {
    const { owner, now } = request
    return { kind: 'release', amount: 0, owner, note, facts: null, now }
  }

  /** The next page of accounts after `last`, by earliest deadline. */
  const page = async (before: number, last: AccountDocument | null): Promise<AccountDocument[]> => {
    const order = { sort: { dl: 1, _id: 1 } } as const
    const find = async (filter: Filter, limit: number) => await accounts.many(filter, FIELDS, { ...order, limit })
    if (last?.dl === undefined) return await find({ dl: op({ $lt: before }) }, OVERDUE_PER_PAGE)
    const same = await find({ dl: last.dl, _id: op({ $gt: last._id }) }, OVERDUE_PER_PAGE)
    return same.length === OVERDUE_PER_PAGE
      ? same
      : [...same, ...(await find({ dl: op({ $gt: last.dl, $lt: before }) }, OVERDUE_PER_PAGE - same.length))]
  }

  const isOverdue = (before: number) => (hold: HoldField) => hold.dl < before
  const lostOf = (account: AccountDocument, isLost: (hold: HoldField) => boolean): LostHolds =>
    new Map(Object.entries(account.holds).filter(([, hold]) => isLost(hold)))

  return {
    /** Releases holds past deadline and grace. An account is read again only when another of its holds is due. */
    releaseOverdue: async (request: SweepRequest): Promise<number> => {
      const before = request.now - request.graceMs
      const end = endOf(request, 'deadline passed')
      let released = 0
      for (let last: AccountDocument | null = null; released < MOST_RELEASES;) {
        const found: AccountDocument[] = await page(before, last)
        const later: Change[] = []
        released += await sumOver(found, async (account) => {
          const lost = lostOf(account, isOverdue(before))
          const ended = lost.size === 0 ? 0 : await release(account, lost, end)
          const left = Object.fromEntries(Object.entries(account.holds).filter(([id]) => !lost.has(id)))
          // Releasing all together changed the account once. After any other change the deadline is left as it is.
          const ver = account.ver + (lost.size === 0 ? 0 : 1)
          if (ended === lost.size) later.push({ filter: { _id: account._id, ver }, update: earliest(left) })
          return ended
        })
        await accounts.bulk(later)
        last = found.at(-1) ?? null
        if (found.length < OVERDUE_PER_PAGE) return released
      }
      return released
    },

    /** Releases holds of all gateways except `spared`, whatever their deadline. */
    releaseOthers: async (request: SweepRequest, spared: ReadonlySet<string>): Promise<number> => {
      const end = endOf(request, 'gateway ended')
      let released = 0
      for await (const found of openAccounts(tables, { holds: 1, caps: 1 })) {
        released += await sumOver(found, async (account) => {
          const lost = lostOf(account, (hold) => !spared.has(hold.own))
          return lost.size === 0 ? 0 : await release(account, lost, end)
        })
        if (released >= MOST_RELEASES) return released
      }
      return released
    },
  }
}

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
