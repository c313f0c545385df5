import type { Balance, CapRoom, Entry, EntryFilter, EntryKind, Milli } from '../types.js'
import { dayNumber } from '../rules.js'
import type { Database } from './database.js'
import type { WriteCache } from './write-cache.js'
import { factsOrNull } from '../stored.js'

interface EntryRow {
  readonly seq: number
  readonly ref: string
  readonly kind: EntryKind
  readonly amt: Milli
  readonly after: Milli
  readonly at: number
  readonly owner: string
  readonly note: string | null
  readonly facts: string | null
  /** 1 while the answer is not known to be delivered, and permanently once the charge was refunded. */
  readonly pending: number
}

interface CapRoomRow {
  readonly id: string
  readonly credit_limit: Milli | null
  readonly credit_limit_per_day: Milli | null
  readonly taken: Milli
  readonly today: Milli
}

type AccountBalance = Balance & { overage: Milli; open: number; seq: number }

function entryOf(account: string, row: EntryRow): Entry {
  const { seq, ref, kind, after, at, owner, note } = row
  const delivered = kind === 'charge' && row.pending === 0 ? true : null
  return { account, seq, ref, kind, amount: row.amt, after, at, owner, delivered, note, facts: factsOrNull(row.facts) }
}

/** Most entries per page. */
const MAX_PAGE = 10_000

/** Balance and journal, read in pages. */
export function ledgerReads(db: Database) {
  const balance = db.query<AccountBalance>(
    'select bal balance, held, bal - held + over available, over overage, open, seq from accounts where id = ?',
  )
  const room = db.query<CapRoomRow>(
    `select c.id, credit_limit, credit_limit_per_day, used + reserved taken, case when day >= ?1 then day_taken else 0 end today
     from caps c join accounts a on a.n = c.acct where a.id = ?2 and c.id in (select value from json_each(?3))`,
  )
  const first = db.query<{ n: number; id: string }>('select n, id from accounts where id >= ? order by id limit 1')
  const next = db.query<{ n: number; id: string }>('select n, id from accounts where id > ? order by id limit 1')
  const page = db.query<EntryRow>(
    `select e.seq, e.ref, e.kind, e.amt, e.after, e.at, e.owner, e.note, c.facts,
       exists (select 1 from undelivered u where u.acct = e.acct and u.ref = e.ref)
         or exists (select 1 from entries r where r.acct = e.acct and r.ref = 'rf:' || e.ref and r.kind = 'refund') pending
     from entries e left join calls c on c.id = e.id where e.acct = ? and e.seq > ? order by e.seq limit ?`,
  )

  const roomOf = (limit: Milli | null, taken: Milli) => (limit === null ? null : { limit, left: Math.max(0, limit - taken) })

  return {
    capRoom: (account: string, ids: readonly string[], now: number): CapRoom[] =>
      room.all(dayNumber(now), account, JSON.stringify(ids)).map((row) => ({
        id: row.id,
        total: roomOf(row.credit_limit, row.taken),
        day: roomOf(row.credit_limit_per_day, row.today),
      })),
    balance: (account: string): AccountBalance | null => balance.get(account) ?? null,
    /** In order of account id and sequence; continues after `afterAccount` and `afterSeq`. */
    entries: (filter: EntryFilter): Entry[] => {
      const found: Entry[] = []
      const limit = Math.min(filter.limit, MAX_PAGE)
      let account = first.get(filter.account ?? filter.afterAccount ?? '')
      const start = account?.id === (filter.account ?? filter.afterAccount) ? (filter.afterSeq ?? 0) : 0
      for (let afterSeq = start; account !== undefined && found.length < limit; afterSeq = 0) {
        const id = account.id
        if (filter.account !== undefined && id !== filter.account) break
        for (const row of page.all(account.n, afterSeq, limit - found.length)) found.push(entryOf(id, row))
        account = filter.account === undefined ? next.get(id) : undefined
      }
      return found
    },
  }
}

/** Marks removed by one statement. */
const PER_STATEMENT = 8

/** Marks charges as delivered, except refunded ones. */
export function deliveries(db: Database, cache: WriteCache) {
  const one = db.query('delete from undelivered where acct = ? and ref = ? and refunded = 0')
  const several = db.query(
    `delete from undelivered where acct = ? and ref in (${Array.from({ length: PER_STATEMENT }, () => '?').join(', ')}) and refunded = 0`,
  )

  const mark = (acct: number, refs: readonly string[]): void => {
    let next = 0
    for (; refs.length - next >= PER_STATEMENT; next += PER_STATEMENT) several.run(acct, ...refs.slice(next, next + PER_STATEMENT))
    for (const ref of refs.slice(next)) one.run(acct, ref)
  }

  return {
    delivered: (refs: readonly { account: string; ref: string }[]): void => {
      cache.journal.write()
      const accounts = new Map<string, string[]>()
      for (const { account, ref } of refs) {
        const own = accounts.get(account)
        if (own === undefined) accounts.set(account, [ref])
        else own.push(ref)
      }
      for (const [account, own] of accounts) {
        const row = cache.rows.of(account)
        if (row !== undefined) mark(row.n, own)
      }
    },
  }
}
