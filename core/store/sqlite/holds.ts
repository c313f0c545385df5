import type { HoldRequest, HoldResult, Shortage } from '../types.js'
import { lostFacts, settling, HOLD_COLUMNS, type HoldRow } from './settle.js'
import type { Database } from './database.js'
import { available, balanceOf, type MoneyRow } from './money-rows.js'
import type { SetAside } from './set-aside.js'
import type { WriteCache } from './write-cache.js'
import { wholeNotNegative } from '../rules.js'

interface HoldCaps {
  /** Caps that the hold takes from, as JSON; undefined for none. */
  readonly all: string | undefined
  /** The same when they differ from those of the key, else null. */
  readonly named: string | null
}

/** The hold command: in one transaction, every condition is tested before anything is written. */
export function holds(db: Database, cache: WriteCache, aside: SetAside) {
  const { rows, caps } = cache
  const close = settling(db, cache)
  const isUsed = db.query<{ yes: number }>(
    'select exists (select 1 from holds where acct = ?1 and id = ?2) or exists (select 1 from entries where acct = ?1 and ref = ?2) yes',
  )
  const stored = db.query<{ stored: number }>('select stored from accounts where n = ?')
  const takeExpired = db.query<HoldRow>(`delete from holds where acct = ? and deadline < ? returning ${HOLD_COLUMNS}`)
  const insert = db.query(
    `insert into holds (acct, id, amt, deadline, at, owner, key, cap_day, capability, call, caps)
     select ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11 where not exists (select 1 from entries where acct = ?1 and ref = ?2)
     on conflict do nothing`,
  )

  /** Bytes of the account's files and kept answers, which commands outside the ledger change behind the cached row. */
  const storedBy = (account: MoneyRow): number => stored.get(account.n)?.stored ?? 0

  const shortage = (account: MoneyRow, request: HoldRequest, taken: HoldCaps): Shortage | null => {
    if (account.open >= request.maxOpen) return 'too-many-open'
    if (request.capped && (taken.all === undefined || !caps.room(account.n, taken.all, request.amount, request.now))) return 'capped'
    if (available(account) < request.amount) return 'insufficient'
    return request.storedBelow !== undefined && storedBy(account) >= request.storedBelow ? 'full' : null
  }

  /** The caps of a hold: those of the key, unless the request names others. */
  const capsOf = (account: MoneyRow, { capped, key, caps: named }: HoldRequest): HoldCaps => {
    if (!capped) return { all: undefined, named: null }
    const own = caps.ofKey(account.n, key)
    if (named === undefined || own === undefined) return { all: own, named: null }
    const all = JSON.stringify(named)
    return { all, named: all === own ? null : all }
  }

  /** Releases the account's holds past their deadline, so that calls of a crashed gateway cause no false refusal. */
  const sweepOwn = (account: MoneyRow, request: HoldRequest): boolean => {
    if (account.open === 0) return false
    const rows = takeExpired.all(account.n, request.now).toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const end = { kind: 'release', amount: 0, owner: request.owner, note: 'deadline passed', now: request.now } as const
    for (const row of rows) close(account, row.id, row, { ...end, facts: lostFacts(row, request.now) })
    return rows.length > 0
  }

  const place = (account: MoneyRow, request: HoldRequest, taken: HoldCaps): HoldResult => {
    const { hold, amount, deadline, now, owner, key, capability, call } = request
    const day = taken.all === undefined ? null : caps.dayOf(account.n, taken.all, now)
    const details = call === undefined ? null : JSON.stringify(call)
    const placed = insert.run(account.n, hold, amount, deadline, now, owner, key, day, capability, details, taken.named)
    if (placed === 0) return { ok: false, why: 'duplicate' }
    if (taken.all !== undefined && day !== null) caps.take(account.n, taken.all, amount, day)
    account.held += amount
    account.open += 1
    rows.changed(account)
    return { ok: true, ...balanceOf(account) }
  }

  return {
    hold: (request: HoldRequest): HoldResult => {
      wholeNotNegative(request.amount, 'amount of a hold')
      aside.refuse(request.account)
      const account = rows.of(request.account)
      if (account === undefined) return { ok: false, why: 'absent' }
      if (account.disabled === 1) return { ok: false, why: 'disabled' }
      if (account.auth !== request.auth) return { ok: false, why: 'stale-auth' }
      if (cache.journal.has(account.n, request.hold)) return { ok: false, why: 'duplicate' }
      const taken = capsOf(account, request)
      let why = shortage(account, request, taken)
      if (why !== null && isUsed.get(account.n, request.hold)?.yes === 1) return { ok: false, why: 'duplicate' }
      if (why !== null && sweepOwn(account, request)) why = shortage(account, request, taken)
      if (why === null) return place(account, request, taken)
      return why === 'insufficient' ? { ok: false, why, ...balanceOf(account) } : { ok: false, why }
    },
  }
}
