import type { Milli, PostRequest, PostResult } from '../types.js'
import type { Database } from './database.js'
import { journal, type NewEntry } from './journal.js'
import { available, balanceOf, type MoneyRow } from './money-rows.js'
import type { WriteCache } from './write-cache.js'
import { factsOrNull } from '../stored.js'
import { affords, postedBefore, whole, wholeNotNegative } from '../rules.js'

/** Entries posted by reference: grants, refunds, adjustments, overage; each at most once per account and reference. */
export function posts(db: Database, cache: WriteCache) {
  const { rows, caps } = cache
  const { append, find } = journal(db, cache)
  const markRefunded = db.query('update undelivered set refunded = 1 where acct = ? and ref = ?')

  /** Appends unless the reference exists; a debit needs available credits, an adjustment the account's own. */
  const apply = (account: MoneyRow, entry: NewEntry): PostResult => {
    const earlier = postedBefore(find(account.n, entry.ref), entry, balanceOf(account))
    if (earlier !== null) return earlier
    const money = { available: available(account), overage: account.over }
    if (!affords(money, entry.kind, entry.amount)) return { ok: false, why: 'insufficient' }
    append(account, entry)
    if (entry.key !== null)
      caps.settle(account.n, entry.key, {
        ...{ spent: 0 - entry.amount, held: 0, back: Math.max(0, entry.amount) },
        ...{ day: entry.capDay, caps: entry.caps ?? null },
      })
    return { ok: true, applied: true, ...balanceOf(account) }
  }

  const post = (request: PostRequest): PostResult => {
    whole(request.amount, 'amount')
    const account = rows.of(request.account)
    if (account === undefined) return { ok: false, why: 'absent' }
    const { ref, kind, amount, now, owner, note, facts } = request
    return apply(account, { ref, kind, amount, at: now, owner, note, key: facts?.key_id ?? null, capDay: null, facts })
  }

  const refund = (request: { account: string; hold: string; reason: string; owner: string; now: number }): PostResult => {
    const account = rows.of(request.account)
    const charge = account === undefined ? undefined : find(account.n, request.hold)
    if (account === undefined || charge?.kind !== 'charge') return { ok: false, why: 'absent' }
    const result = apply(account, {
      ref: `rf:${request.hold}`,
      kind: 'refund',
      amount: 0 - charge.amt,
      at: request.now,
      owner: request.owner,
      note: request.reason,
      key: charge.key,
      capDay: charge.cap_day,
      caps: charge.caps,
      facts: factsOrNull(charge.facts),
    })
    markRefunded.run(account.n, request.hold)
    return result
  }

  const setOverage = (request: { account: string; limit: Milli; ref: string; owner: string; now: number }): PostResult => {
    wholeNotNegative(request.limit, 'limit of overage')
    const account = rows.of(request.account)
    if (account === undefined) return { ok: false, why: 'absent' }
    const earlier = postedBefore(find(account.n, request.ref), { kind: 'adjust', amount: 0 }, balanceOf(account))
    if (earlier !== null) return earlier
    if (available(account) < account.over - request.limit) return { ok: false, why: 'insufficient' }
    const note = `overage ${account.over} to ${request.limit}`
    account.over = request.limit
    append(account, {
      ref: request.ref,
      kind: 'adjust',
      amount: 0,
      at: request.now,
      owner: request.owner,
      note,
      key: null,
      capDay: null,
      facts: null,
    })
    return { ok: true, applied: true, ...balanceOf(account) }
  }

  return { post, refund, setOverage }
}
