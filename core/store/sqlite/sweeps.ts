import type { SweepReport } from '../port.js'
import { settling, HOLD_COLUMNS, type HoldRow } from './settle.js'
import type { Database } from './database.js'
import { posts } from './posts.js'
import type { WriteCache } from './write-cache.js'

export interface SweepRequest {
  readonly now: number
  readonly graceMs: number
  readonly owner: string
  readonly deadOwners: readonly string[] | 'all-but-owner'
}

interface Lost {
  readonly account: string
  readonly ref: string
}

/** Rows one sweep takes of each kind, so that a command never holds the writer for long; the next sweep goes on. */
const AT_ONCE = 2000

/** Recovery after a crash; every action is one that a living gateway could have taken, so sweeping twice does nothing more. */
export function sweeps(db: Database, cache: WriteCache) {
  const close = settling(db, cache)
  const { refund } = posts(db, cache)
  const columns = HOLD_COLUMNS.replaceAll(/\w+/g, 'h.$&')
  const overdue = db.query<HoldRow & Lost>(
    `select a.id account, ${columns} from holds h join accounts a on a.n = h.acct where h.deadline < ? order by h.deadline, h.acct, h.id limit ${AT_ONCE}`,
  )
  const orphaned = db.query<HoldRow & Lost>(
    `select a.id account, ${columns} from holds h join accounts a on a.n = h.acct where h.owner != ? order by h.acct, h.id limit ${AT_ONCE}`,
  )
  const unkept = `refunded = 0 and not exists (select 1 from idempotency i where i.acct = u.acct and i.hold = u.ref and i.state = 'kept')`
  const undelivered = db.query<Lost>(
    `select a.id account, u.ref from undelivered u join accounts a on a.n = u.acct where u.owner = ? and ${unkept} order by u.acct, u.ref limit ${AT_ONCE}`,
  )
  const undeliveredOfOthers = db.query<Lost>(
    `select a.id account, u.ref from undelivered u join accounts a on a.n = u.acct where u.owner != ? and ${unkept} order by u.owner, u.acct, u.ref limit ${AT_ONCE}`,
  )
  const drop = db.query('delete from holds where acct = ? and id = ?')
  const forget = db.query(`delete from idempotency where expires <= ?1 and (state != 'running' or lock_until <= ?1)`)
  const unstore = db.query(
    `update accounts set stored = stored - x.bytes from (select acct, sum(bytes) bytes from idempotency
     where expires <= ?1 and bytes > 0 and (state != 'running' or lock_until <= ?1) group by +acct) x where accounts.n = x.acct`,
  )
  const endLease = db.query('delete from leases where instance = ?')
  const endLeases = db.query('delete from leases where instance != ?')

  const releaseAll = (rows: readonly (HoldRow & Lost)[], request: SweepRequest, note: string): number => {
    for (const row of rows) {
      const account = cache.rows.of(row.account)
      if (account === undefined) continue
      drop.run(account.n, row.id)
      close(account, row, { kind: 'release', amount: 0, owner: request.owner, note, facts: null, now: request.now })
    }
    return rows.length
  }

  const sweep = (request: SweepRequest): SweepReport => {
    const { now, owner, deadOwners } = request
    const everyone = deadOwners === 'all-but-owner'
    let released = releaseAll(overdue.all(now - request.graceMs), request, 'deadline passed')
    if (everyone) released += releaseAll(orphaned.all(owner), request, 'gateway ended')
    unstore.run(now)
    const idempotency = forget.run(now)
    const lost = everyone ? undeliveredOfOthers.all(owner) : deadOwners.flatMap((dead) => undelivered.all(dead))
    let refunded = 0
    for (const { account, ref } of lost) {
      const result = refund({ account, hold: ref, reason: 'gateway ended before the answer was delivered', owner, now })
      if (result.ok && result.applied) refunded += 1
    }
    let leases = everyone ? endLeases.run(owner) : 0
    if (!everyone) for (const dead of deadOwners) leases += endLease.run(dead)
    return { released, refunded, idempotency, leases, aside: [] }
  }
  return { sweep }
}
