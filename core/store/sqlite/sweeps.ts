import type { Database } from './database.js'
import type { SweepReport, SweepRequest } from '../types.js'
import { isUnavailable } from './failure.js'
import { posts } from './posts.js'
import type { SetAside } from './set-aside.js'
import { HOLD_COLUMNS, type HoldRow, lostFacts, settling } from './settle.js'
import type { WriteCache } from './write-cache.js'

/** Idempotency records that one sweep deletes, so that a command never blocks the writer for long. */
const RECORDS_AT_ONCE = 500

/** Deletes a bounded number of expired idempotency records and subtracts their answers from the account's storage. */
function expiries(db: Database) {
  const forget = db.query<{ acct: number; bytes: number }>(
    `delete from idempotency where rowid in (select rowid from idempotency where expires <= ?1 and (state != 'running' or lock_until <= ?1)
     order by expires limit ${RECORDS_AT_ONCE}) returning acct, bytes`,
  )
  // Never below zero: an account with a wrong count must not stop the sweep of the others.
  const unstore = db.query('update accounts set stored = max(0, stored - ?) where n = ?')

  return (now: number): number => {
    const gone = forget.all(now)
    const bytes = new Map<number, number>()
    for (const row of gone) bytes.set(row.acct, (bytes.get(row.acct) ?? 0) + row.bytes)
    for (const [acct, sum] of bytes) if (sum > 0) unstore.run(sum, acct)
    return gone.length
  }
}

/** Instance that holds the counts of ended gateways; no gateway has an empty name. */
const ENDED = ''

/** Merges the refused-call counts of ended gateways into one row each, so that rows do not grow with every start. */
function mergeRefused(db: Database) {
  const others = db.query<{ yes: number }>('select 1 yes from refused where instance not in (?1, ?2) limit 1')
  const add = db.query(
    `insert into refused (acct, day, instance, endpoint, capability, status, count)
     select acct, day, ?1, endpoint, capability, status, sum(count) from refused where instance not in (?1, ?2)
     group by acct, day, endpoint, capability, status on conflict do update set count = count + excluded.count`,
  )
  const drop = db.query('delete from refused where instance not in (?1, ?2)')

  /** Every instance except `owner` must have ended: later writes of one would count twice. */
  return (owner: string): void => {
    if (others.get(ENDED, owner) === undefined) return
    add.run(ENDED, owner)
    drop.run(ENDED, owner)
  }
}

interface AccountRef {
  readonly acct: number
  readonly account: string
}

interface Undelivered extends AccountRef {
  readonly ref: string
}

type Overdue = HoldRow & AccountRef & { readonly note: string }

/** Holds and charges to undo on one account. */
interface Work {
  readonly place: AccountRef
  readonly holds: Overdue[]
  readonly lost: Undelivered[]
}

/** Rows of each kind per sweep, so that a command never blocks the writer for long; the next sweep continues. */
const AT_ONCE = 2000

/**
 * Recovery after a crash. Every action is a command that a live gateway could have sent, so that sweeping twice changes
 * nothing. A failure on one account rolls back that account alone, which is then set aside.
 */
export function sweeps(db: Database, cache: WriteCache, aside: SetAside) {
  const queries = sweepQueries(db)
  const close = settling(db, cache)
  const { refund } = posts(db, cache)
  const forget = expiries(db)
  const drop = db.query('delete from holds where acct = ? and id = ?')
  const isolate = db.query('savepoint account')
  const undo = db.query('rollback to account')
  const done = db.query('release account')
  const endLease = db.query('delete from leases where instance = ?')
  const merge = mergeRefused(db)
  const endLeases = db.query('delete from leases where instance != ?')

  const undoCalls = ({ holds, lost }: Work, request: SweepRequest): number => {
    const { owner, now } = request
    for (const row of holds) {
      const account = cache.rows.of(row.account)
      if (account === undefined) throw new Error(`hold ${row.id} belongs to no account`)
      if (drop.run(row.acct, row.id) === 0) continue
      close(account, row.id, row, { kind: 'release', amount: 0, owner, note: row.note, facts: lostFacts(row, now), now })
    }
    let refunded = 0
    for (const { account, ref } of lost) {
      const result = refund({ account, hold: ref, reason: 'gateway ended before the answer was delivered', owner, now })
      if (result.ok && result.applied) refunded += 1
    }
    cache.write()
    return refunded
  }

  /** Within a savepoint: an error of the account, not of the whole database, sets it aside and returns null. */
  const isolated = (work: Work, request: SweepRequest): number | null => {
    isolate.run()
    try {
      const refunded = undoCalls(work, request)
      done.run()
      return refunded
    } catch (error) {
      if (isUnavailable(error) || !db.inTransaction) throw error
      undo.run()
      done.run()
      aside.add({ id: work.place.account, n: work.place.acct }, error, request.now)
      return null
    } finally {
      cache.forget()
    }
  }

  /** Ends leases of owners with nothing left; an owner with more work than one sweep does keeps its lease. */
  const endLeasesOf = (request: SweepRequest, more: ReadonlySet<string>): number => {
    if (request.deadOwners === 'all-but-owner') return endLeases.run(request.owner)
    return request.deadOwners.filter((dead) => !more.has(dead)).reduce((sum, dead) => sum + endLease.run(dead), 0)
  }

  const sweep = (request: SweepRequest): SweepReport => {
    const back = aside.restore(request.now)
    const { work, more } = queries.workOf(request, { aside: aside.numbers(), back })
    let released = 0
    let refunded = 0
    for (const each of work) {
      const refunds = isolated(each, request)
      if (refunds === null) continue
      released += each.holds.length
      refunded += refunds
    }
    if (request.deadOwners === 'all-but-owner') merge(request.owner)
    const idempotency = forget(request.now)
    return { released, refunded, idempotency, leases: endLeasesOf(request, more), aside: aside.list() }
  }
  return { sweep }
}

/** The work of a sweep, by account. */
function sweepQueries(db: Database) {
  const columns = HOLD_COLUMNS.replaceAll(/\w+/g, 'h.$&')
  const holds = (note: string, where: string, order: string) =>
    `select a.n acct, a.id account, '${note}' note, ${columns} from holds h join accounts a on a.n = h.acct
     where ${where} and h.acct not in (select value from json_each(?)) order by ${order} limit ${AT_ONCE}`
  const charges = (where: string, order: string) =>
    `select a.n acct, a.id account, u.ref from undelivered u join accounts a on a.n = u.acct
     where ${where} and u.refunded = 0 and u.acct not in (select value from json_each(?)) order by ${order} limit ${AT_ONCE}`
  const leaseless = (of: string) => `not exists (select 1 from leases l where l.instance = ${of}.owner)`

  const overdue = db.query<Overdue>(holds('deadline passed', 'h.deadline < ?', 'h.deadline, h.acct, h.id'))
  const orphaned = db.query<Overdue>(holds('gateway ended', 'h.owner != ?', 'h.acct, h.id'))
  const orphanedOf = db.query<Overdue>(holds('gateway ended', `h.acct = ? and h.owner != ? and ${leaseless('h')}`, 'h.id'))
  const undelivered = db.query<Undelivered>(charges('u.owner = ?', 'u.acct, u.ref'))
  const undeliveredOfOthers = db.query<Undelivered>(charges('u.owner != ?', 'u.owner, u.acct, u.ref'))
  const undeliveredOf = db.query<Undelivered>(charges(`u.acct = ? and u.owner != ? and ${leaseless('u')}`, 'u.ref'))

  const lostOf = (owners: readonly string[], aside: string, more: Set<string>): Undelivered[] =>
    owners.flatMap((dead) => {
      const rows = undelivered.all(dead, aside)
      if (rows.length === AT_ONCE) more.add(dead)
      return rows
    })

  return {
    /** `back` are accounts just restored, found by account: leases of their gateways may have ended meanwhile. */
    workOf: (request: SweepRequest, { aside, back }: { aside: string; back: readonly number[] }) => {
      const { now, graceMs, owner, deadOwners } = request
      const everyone = deadOwners === 'all-but-owner'
      const more = new Set<string>()
      const open = [
        ...overdue.all(now - graceMs, aside),
        ...(everyone ? orphaned.all(owner, aside) : back.flatMap((acct) => orphanedOf.all(acct, owner, aside))),
      ]
      const lost = everyone
        ? undeliveredOfOthers.all(owner, aside)
        : [...lostOf(deadOwners, aside, more), ...back.flatMap((acct) => undeliveredOf.all(acct, owner, aside))]
      return { work: byAccount(open, lost), more }
    },
  }
}

function byAccount(holds: readonly Overdue[], lost: readonly Undelivered[]): Iterable<Work> {
  const work = new Map<number, Work>()
  const of = (place: AccountRef): Work => {
    const known = work.get(place.acct)
    if (known !== undefined) return known
    const made = { place, holds: [], lost: [] }
    work.set(place.acct, made)
    return made
  }
  const seen = new Set<string>()
  for (const hold of holds) {
    const name = `${hold.acct} ${hold.id}`
    if (!seen.has(name)) of(hold).holds.push(hold)
    seen.add(name)
  }
  for (const charge of lost) of(charge).lost.push(charge)
  return work.values()
}
