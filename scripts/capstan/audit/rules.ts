/** A rule that no row may break: each row the query finds is one problem, its `problem` column the line. */
export interface Rule {
  readonly invariant: string
  readonly query: string
}

/** Version of the schema that these rules are for. */
export const SCHEMA_VERSION = 5

/** The time before which details may have been trimmed, 0 for none. */
const TRIMMED = `(select coalesce(max(value), 0) from counters where name = 'trimmed')`

/** The UTC day of an entry. */
const DAY = `cast(floor(e.at / 86400000.0) as integer)`
const IS_CALL = `e.kind in ('charge', 'release')`
const SAYS = `': the rollup has ' || coalesce(r.calls || ' calls, ' || r.errors || ' errors, ' || r.credits, 'nothing')`

/** Finds which of these triggers are missing or disabled. */
function missingTriggers(...names: readonly string[]): string {
  const wanted = names.map((name) => `select '${name}' name`).join(' union all ')
  return `select 'the trigger ' || t.name || ' that keeps entries as they are is missing' problem from (${wanted}) t
    where not exists (select 1 from sqlite_schema s where s.type = 'trigger' and s.name = t.name and s.sql like '%raise(abort%')`
}

export const RULES: readonly Rule[] = [
  {
    invariant: 'L1',
    query: `select 'account ' || a.id || ': holds add up to ' || coalesce(h.amt, 0) || ' in ' || coalesce(h.n, 0) || ', the account says ' || a.held || ' in ' || a.open problem
      from accounts a left join (select acct, sum(amt) amt, count(*) n from holds group by acct) h on h.acct = a.n
      where a.held != coalesce(h.amt, 0) or a.open != coalesce(h.n, 0)`,
  },
  {
    invariant: 'L1',
    query: `select 'hold ' || h.id || ' belongs to no account' problem from holds h where not exists (select 1 from accounts a where a.n = h.acct)`,
  },
  {
    invariant: 'L2',
    query: `select 'account ' || id || ': ' || (bal - held + over) || ' available' problem from accounts where bal - held + over < 0`,
  },
  {
    invariant: 'L3',
    query: `select 'entry ' || e.ref || ' belongs to no account' problem from entries e where not exists (select 1 from accounts a where a.n = e.acct)`,
  },
  {
    invariant: 'L4',
    query: `select 'account ' || acct || ': sequence number ' || seq || ' is used ' || count(*) || ' times' problem from entries group by acct, seq having count(*) > 1`,
  },
  {
    invariant: 'L5',
    query: `select 'reference ' || ref || ' is used ' || count(*) || ' times' problem from entries group by acct, ref having count(*) > 1`,
  },
  {
    invariant: 'L5',
    query: `select 'hold ' || h.id || ' is open and in the journal as ' || e.kind problem from holds h join entries e on e.acct = h.acct and e.ref = h.id`,
  },
  {
    invariant: 'L6',
    query: `select 'refund ' || r.ref || ' of ' || r.amt || ' gives back ' || coalesce(-c.amt, 'no charge') problem
      from entries r left join entries c on c.acct = r.acct and c.ref = substr(r.ref, 4) and c.kind = 'charge'
      where r.kind = 'refund' and r.ref like 'rf:%' and (c.ref is null or r.amt != -c.amt)`,
  },
  {
    invariant: 'L6',
    query: `select 'entry ' || ref || ': a ' || kind || ' of ' || amt problem from entries
      where (kind = 'charge' and amt > 0) or (kind = 'release' and amt != 0) or (kind in ('grant', 'refund') and amt < 0)`,
  },
  {
    invariant: 'L7',
    query: `select 'undelivered ' || u.ref || ': ' || case when c.ref is null then 'there is no such charge' else 'refunded is ' || u.refunded || ' and the refund is ' ||
      case when r.ref is null then 'missing' else 'there' end end problem
      from undelivered u left join entries c on c.acct = u.acct and c.ref = u.ref and c.kind = 'charge'
      left join entries r on r.acct = u.acct and r.ref = 'rf:' || u.ref
      where c.ref is null or (u.refunded = 1) != (r.ref is not null)`,
  },
  {
    invariant: 'L6',
    query: `select 'entry ' || l.ref || ': a late charge of a hold that ' || case when h.acct is not null then 'is open' when c.kind = 'charge' then 'was charged and not refunded'
        else 'never was' end problem
      from (select acct, ref, substr(ref, instr(ref, ':') + 1) hold from entries where kind = 'charge' and (ref like 'late:%' or ref like 'late_:%')) l
      left join holds h on h.acct = l.acct and h.id = l.hold left join entries c on c.acct = l.acct and c.ref = l.hold
      left join entries r on r.acct = l.acct and r.ref = 'rf:' || l.hold
      where h.acct is not null or c.kind is null or c.kind not in ('charge', 'release') or (c.kind = 'charge' and r.ref is null)`,
  },
  {
    invariant: 'L6',
    query: `select 'hold ' || hold || ' has ' || (count(*) - sum(refunded)) || ' late charges that were not refunded' problem from (
        select l.acct, substr(l.ref, instr(l.ref, ':') + 1) hold, r.ref is not null refunded
        from entries l left join entries r on r.acct = l.acct and r.ref = 'rf:' || l.ref
        where l.kind = 'charge' and (l.ref like 'late:%' or l.ref like 'late_:%'))
      group by acct, hold having count(*) - sum(refunded) > 1`,
  },
  {
    invariant: 'L11',
    query: missingTriggers('entries_fixed', 'entries_kept', 'calls_fixed', 'calls_kept'),
  },
  {
    invariant: 'L12',
    query: `select 'kept answer of ' || i.hold || ' says ' || i.amount || ' credits, its charge is ' || -c.amt problem
      from idempotency i join entries c on c.acct = i.acct and c.ref = i.hold and c.kind = 'charge' where i.state = 'kept' and i.amount != -c.amt`,
  },
  {
    invariant: 'caps',
    query: `select 'key ' || k.id || ': used is ' || k.used || ', its entries add up to ' || coalesce(e.used, 0) problem
      from keys k left join (select acct, key, -sum(amt) used from entries where key is not null group by acct, key) e on e.key = k.id and e.acct = k.acct
      where k.used != coalesce(e.used, 0)`,
  },
  {
    invariant: 'storage',
    query: `select 'account ' || a.id || ': stored is ' || a.stored || ', its files and kept answers take ' || (coalesce(f.n, 0) + coalesce(i.n, 0)) problem
      from accounts a left join (select acct, sum(size) n from artifacts group by acct) f on f.acct = a.n
      left join (select acct, sum(bytes) n from idempotency group by acct) i on i.acct = a.n where a.stored != coalesce(f.n, 0) + coalesce(i.n, 0)`,
  },
  {
    invariant: 'L11',
    query: `select 'details ' || c.id || ' are of no entry that has a digest' problem from calls c left join entries e on e.id = c.id
      where e.id is null or e.digest is null or c.at != e.at`,
  },
  {
    invariant: 'L10',
    query: `select 'entry ' || e.ref || ': its details are of ' || json_extract(c.facts, '$.endpoint') || ', ' || json_extract(c.facts, '$.capability') ||
        ' and say ' || case when json_extract(c.facts, '$.error') is null then 'success' else 'failure' end || '; it counts for ' || s.endpoint || ', ' || s.capability
        || case when e.failed is null then '' else ' as ' || case e.failed when 0 then 'success' else 'failure' end end problem
      from calls c join entries e on e.id = c.id join series s on s.id = e.series
      where json_extract(c.facts, '$.endpoint') is not s.endpoint or json_extract(c.facts, '$.capability') is not s.capability
        or (e.failed is not null and (json_extract(c.facts, '$.error') is not null) != e.failed)`,
  },
  {
    invariant: 'L10',
    query: `select 'entry ' || e.ref || ': a ' || e.kind || ' that ' || case when e.failed is null then 'does not say whether it failed' else 'says whether it failed' end problem
      from entries e where e.digest is not null and (e.kind in ('charge', 'release')) != (e.failed is not null)`,
  },
  {
    invariant: 'caps',
    query: `select 'key ' || k.id || ' spends on the cap ' || j.value || ', which does not exist' problem from keys k, json_each(k.caps) j
      where not exists (select 1 from caps c where c.id = j.value and c.acct = k.acct)`,
  },
  {
    invariant: 'caps',
    query: `with spent as (
        select e.acct, j.value cap, -sum(e.amt) used from entries e join keys k on k.id = e.key and k.acct = e.acct, json_each(coalesce(e.caps, k.caps)) j
        group by e.acct, j.value)
      select 'cap ' || c.id || ': used is ' || c.used || ', the entries of its family add up to ' || coalesce(s.used, 0) problem
      from caps c left join spent s on s.acct = c.acct and s.cap = c.id where c.used != coalesce(s.used, 0)`,
  },
  {
    invariant: 'caps',
    query: `with held as (
        select h.acct, j.value cap, sum(h.amt) amt from holds h join keys k on k.id = h.key and k.acct = h.acct, json_each(coalesce(h.caps, k.caps)) j
        where h.cap_day is not null group by h.acct, j.value)
      select 'cap ' || c.id || ': reserved is ' || c.reserved || ', the holds of its family add up to ' || coalesce(h.amt, 0) problem
      from caps c left join held h on h.acct = c.acct and h.cap = c.id where c.reserved != coalesce(h.amt, 0)`,
  },
  {
    invariant: 'caps',
    query: `with moves as (
        select acct, key, caps, cap_day day, 0 - amt amt from entries where cap_day is not null
        union all select acct, key, caps, cap_day, amt from holds where cap_day is not null),
      taken as (
        select m.acct, j.value cap, m.day, sum(m.amt) amt from moves m join keys k on k.id = m.key and k.acct = m.acct, json_each(coalesce(m.caps, k.caps)) j
        group by m.acct, j.value, m.day)
      select 'cap ' || c.id || ': taken on its day is ' || c.day_taken || ', calls of that day took ' || coalesce(t.amt, 0) problem
      from caps c left join taken t on t.acct = c.acct and t.cap = c.id and t.day = c.day where c.day_taken != coalesce(t.amt, 0)`,
  },
  {
    invariant: 'caps',
    query: `with members as (select k.acct, j.value cap, sum(k.revoked_at is null) n from keys k, json_each(k.caps) j group by k.acct, j.value)
      select 'cap ' || c.id || ' counts ' || c.keys || ' keys, ' || coalesce(m.n, 0) || ' are not revoked' problem
      from caps c left join members m on m.acct = c.acct and m.cap = c.id where c.keys != coalesce(m.n, 0)`,
  },
  // The rollup is the sum of the entries: an entry keeps its counted fields when its details are trimmed.
  {
    invariant: 'L10',
    query: `with journal as (
        select e.acct, ${DAY} day, s.endpoint, s.capability, sum(${IS_CALL}) calls, coalesce(sum(e.failed), 0) errors, -sum(e.amt) credits
        from entries e left join series s on s.id = e.series where e.digest is not null group by 1, 2, 3, 4),
      rollup as (select u.acct, u.day, s.endpoint, s.capability, u.calls, u.errors, u.credits from usage u join series s on s.id = u.series)
      select 'account ' || coalesce(a.id, '?') || ', day ' || date(coalesce(j.day, r.day) * 86400, 'unixepoch') || ', ' || coalesce(j.endpoint, r.endpoint, '?') ||
        ${SAYS} || ', the journal ' || coalesce(j.calls || ' calls, ' || j.errors || ' errors, ' || j.credits, 'nothing') problem
      from journal j full join rollup r on r.acct = j.acct and r.day = j.day and r.endpoint = j.endpoint and r.capability = j.capability
      left join accounts a on a.n = coalesce(j.acct, r.acct)
      where j.calls is not r.calls or j.errors is not r.errors or j.credits is not r.credits`,
  },
  // A series counts all its calls. Every charge and every release is a call.
  {
    invariant: 'L10',
    query: `select 'series ' || s.endpoint || ' (' || s.id || ') says ' || s.n || ' calls, the journal has ' || coalesce(c.n, 0) || coalesce(', up to number ' || c.last, '') problem
      from series s left join (select series, count(*) n, max(nth) last from entries where nth is not null group by series) c on c.series = s.id
      where s.n != coalesce(c.n, 0) or s.n != coalesce(c.last, 0)`,
  },
  {
    invariant: 'L10',
    query: `select 'account ' || a.id || ': its series say ' || s.n || ' calls, the journal has ' || coalesce(e.n, 0) problem
      from (select acct, sum(n) n from series group by acct) s join accounts a on a.n = s.acct
      left join (select acct, sum(${IS_CALL}) n from entries e group by acct) e on e.acct = s.acct where s.n != coalesce(e.n, 0)`,
  },
]

/** Entries of calls with their details, in order. */
export const LINKS = `select a.id account, a.bal balance, a.seq last, a.n acct, e.seq, e.ref, e.kind, e.amt, e.after, e.series, e.nth, e.digest, c.facts details,
    e.at < ${TRIMMED} trimmed from accounts a left join entries e on e.acct = a.n left join calls c on c.id = e.id order by a.n, e.seq`

/** L9 depends on the time and on whether a gateway could sweep. */
export const OVERLONG = `select 'hold ' || h.id || ' is ' || cast(?1 - h.deadline as integer) || ' ms past its deadline' problem from holds h where h.deadline + ?2 < ?1`

/** L7 likewise: while a gateway is alive, charges whose owner has no lease are refunded by its sweeps. */
export const UNSWEPT = `select 'charge ' || u.ref || ' awaits its delivery by ' || u.owner || ', which has no lease, for ' || cast(?1 - c.at as integer) || ' ms' problem
  from undelivered u join entries c on c.acct = u.acct and c.ref = u.ref
  where u.refunded = 0 and c.at + ?2 < ?1 and not exists (select 1 from leases l where l.instance = u.owner)
    and exists (select 1 from leases l where l.expires > ?1)`

/** L10 also depends on the time: the recorded trimming time cannot be in the future. */
export const AHEAD = `select 'entries are trimmed up to a time that has not come' problem where ${TRIMMED} > ?1`
