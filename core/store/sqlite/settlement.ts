import type { ChargeRequest, Facts, HoldState, Milli, ReleaseRequest, Settlement } from '../types.js'
import { lostFacts, settling, HOLD_COLUMNS, type HeldRow, type HoldRow, type SettleRequest } from './settle.js'
import type { Database } from './database.js'
import { journal } from './journal.js'
import { balanceOf } from './money-rows.js'
import type { WriteCache } from './write-cache.js'
import { settledBefore, wholeNotNegative } from '../rules.js'

/** How a call ended; `facts` is null when it recorded none. */
type Ending = Omit<SettleRequest, 'facts'> & { readonly facts: Facts | null }

/** Charge and release: the first to find the hold open resolves it, the other receives its outcome. */
export function settlement(db: Database, cache: WriteCache) {
  const { rows } = cache
  const { find } = journal(db, cache)
  const close = settling(db, cache)
  // Every column read costs as much as finding the row.
  const read = db.query<HeldRow>('select amt, key, cap_day, caps from holds where acct = ? and id = ?')
  const readWhole = db.query<HoldRow>(`select ${HOLD_COLUMNS} from holds where acct = ? and id = ?`)
  const remove = db.query('delete from holds where acct = ? and id = ?')
  const numberOf = db.query<{ n: number; bal: Milli }>('select n, bal from accounts where id = ?')
  const open = db.query<{ amt: Milli }>('select amt from holds where acct = ? and id = ?')

  const factsOf = (acct: number, id: string, now: number): Facts => {
    const hold = readWhole.get(acct, id)
    if (hold === undefined) throw new Error('a hold changed after it was read: nothing was written')
    return lostFacts(hold, now)
  }

  const end = (request: { account: string; hold: string }, closed: Ending): Settlement => {
    const account = rows.of(request.account)
    if (account === undefined) return { ok: false, why: 'absent' }
    const hold = read.get(account.n, request.hold)
    if (hold === undefined) return settledBefore(find(account.n, request.hold), closed.kind, balanceOf(account))
    if (closed.amount > hold.amt) throw new RangeError(`a charge of ${closed.amount} is more than the ${hold.amt} that were held`)
    const facts = closed.facts ?? factsOf(account.n, request.hold, closed.now)
    if (remove.run(account.n, request.hold) !== 1) throw new Error('a hold changed after it was read: nothing was written')
    close(account, request.hold, hold, { ...closed, facts })
    return { ok: true, already: false, seq: account.seq, amount: closed.amount, ...balanceOf(account) }
  }

  return {
    charge: (request: ChargeRequest): Settlement => {
      wholeNotNegative(request.amount, 'amount of a charge')
      const { amount, owner, facts, now } = request
      return end(request, { kind: 'charge', amount, owner, note: null, facts, awaited: request.delivery !== 'none', now })
    },
    release: (request: ReleaseRequest): Settlement => {
      const { owner, reason, facts, now } = request
      return end(request, { kind: 'release', amount: 0, owner, note: reason, facts, now })
    },
    resolve: (account: string, hold: string): { state: HoldState; amount: Milli; balance: Milli | null } => {
      // Runs outside a transaction: rows read here must not be cached.
      const found = numberOf.get(account)
      if (found === undefined) return { state: 'absent', amount: 0, balance: null }
      const { bal: balance } = found
      const held = open.get(found.n, hold)
      if (held !== undefined) return { state: 'open', amount: held.amt, balance }
      const entry = find(found.n, hold)
      if (entry?.kind === 'charge')
        return { state: find(found.n, `rf:${hold}`) === undefined ? 'charged' : 'refunded', amount: 0 - entry.amt, balance }
      return { state: entry?.kind === 'release' ? 'released' : 'absent', amount: 0, balance }
    },
  }
}
