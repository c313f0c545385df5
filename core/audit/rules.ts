/** A rule that no row may break: each row the query finds is one problem, its `problem` column the line. */
export interface Rule {
  readonly invariant: string
  readonly query: string
}

const CALL = `e.kind in ('charge', 'release') and e.facts is not null`

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
    invariant: 'L10',
    query: `with journal as (
        select e.acct, cast(floor(e.at / 86400000.0) as integer) day, json_extract(e.facts, '$.endpoint') endpoint, json_extract(e.facts, '$.capability') capability,
          sum(${CALL}) calls, sum(${CALL} and json_extract(e.facts, '$.error') is not null) errors, -sum(e.amt) credits
        from entries e where e.facts is not null group by 1, 2, 3, 4),
      rollup as (select u.acct, u.day, s.endpoint, s.capability, u.calls, u.errors, u.credits from usage u join series s on s.id = u.series)
      select 'account ' || coalesce(a.id, '?') || ', day ' || date(coalesce(j.day, r.day) * 86400, 'unixepoch') || ', ' || coalesce(j.endpoint, r.endpoint) ||
        ': the rollup has ' || coalesce(r.calls || ' calls, ' || r.errors || ' errors, ' || r.credits, 'nothing') ||
        ', the journal ' || coalesce(j.calls || ' calls, ' || j.errors || ' errors, ' || j.credits, 'nothing') problem
      from journal j full join rollup r on r.acct = j.acct and r.day = j.day and r.endpoint = j.endpoint and r.capability = j.capability
      left join accounts a on a.n = coalesce(j.acct, r.acct)
      where j.calls is not r.calls or j.errors is not r.errors or j.credits is not r.credits`,
  },
  {
    invariant: 'L10',
    query: `select 'series ' || s.endpoint || ' (' || s.id || ') says ' || s.n || ' calls, the journal has ' || coalesce(c.n, 0) problem
      from series s left join (select series, count(*) n from entries where nth is not null group by series) c on c.series = s.id where s.n != coalesce(c.n, 0)`,
  },
  {
    invariant: 'L11',
    query: `select 'the trigger ' || t.name || ' that keeps entries as they are is missing' problem from (select 'entries_fixed' name union all select 'entries_kept') t
      where not exists (select 1 from sqlite_schema s where s.type = 'trigger' and s.name = t.name and s.tbl_name = 'entries' and s.sql like '%raise(abort%')`,
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
    invariant: 'caps',
    query: `select 'key ' || k.id || ': reserved is ' || k.reserved || ', its holds add up to ' || coalesce(h.amt, 0) problem
      from keys k left join (select acct, key, sum(amt) amt from holds where cap_day is not null group by acct, key) h on h.key = k.id and h.acct = k.acct
      where k.reserved != coalesce(h.amt, 0)`,
  },
  {
    invariant: 'storage',
    query: `select 'account ' || a.id || ': stored is ' || a.stored || ', its files and kept answers take ' || (coalesce(f.n, 0) + coalesce(i.n, 0)) problem
      from accounts a left join (select acct, sum(size) n from artifacts group by acct) f on f.acct = a.n
      left join (select acct, sum(bytes) n from idempotency group by acct) i on i.acct = a.n where a.stored != coalesce(f.n, 0) + coalesce(i.n, 0)`,
  },
]

/** L9 needs to know the time and whether anyone was there to sweep. */
export const OVERLONG = `select 'hold ' || h.id || ' is ' || (?1 - h.deadline) || ' ms past its deadline' problem from holds h where h.deadline + ?2 < ?1`
