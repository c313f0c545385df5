/** A rule that no row may break: each row the query finds is one problem, its `problem` column the line. */
export interface Rule {
  readonly invariant: string
  readonly query: string
}

/** The time before which entries may have been trimmed, 0 for none; in a file that no version wrote which trims it is not there. */
export const TRIMMED = `(select coalesce(max(value), 0) from counters where name = 'trimmed')`

/** Nothing younger than a day is ever trimmed; an hour of it is for clocks. */
const DOUBTFUL_MS = 82_800_000

/** The first day from which nothing can have been trimmed. */
const WHOLE = `((${TRIMMED} + 86399999) / 86400000)`
const DAY = `cast(floor(e.at / 86400000.0) as integer)`
const IS_CALL = `e.kind in ('charge', 'release')`
const CALL = `${IS_CALL} and e.facts is not null`
const ERROR = `${CALL} and json_extract(e.facts, '$.error') is not null`
const ROWS = `select e.acct, ${DAY} day, json_extract(e.facts, '$.endpoint') endpoint, json_extract(e.facts, '$.capability') capability,
  sum(${CALL}) calls, sum(${ERROR}) errors, -sum(e.amt) credits from entries e where e.facts is not null`
const ROLLUP = `select u.acct, u.day, s.endpoint, s.capability, u.calls, u.errors, u.credits from usage u join series s on s.id = u.series`
const ROW = `'account ' || coalesce(a.id, '?') || ', day ' || date(coalesce(j.day, r.day) * 86400, 'unixepoch') || ', ' || coalesce(j.endpoint, r.endpoint)`
const SAYS = `': the rollup has ' || coalesce(r.calls || ' calls, ' || r.errors || ' errors, ' || r.credits, 'nothing')`

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
    query: `with journal as (${ROWS} and e.at >= ${WHOLE} * 86400000 group by 1, 2, 3, 4), rollup as (${ROLLUP} where u.day >= ${WHOLE})
      select ${ROW} || ${SAYS} || ', the journal ' || coalesce(j.calls || ' calls, ' || j.errors || ' errors, ' || j.credits, 'nothing') problem
      from journal j full join rollup r on r.acct = j.acct and r.day = j.day and r.endpoint = j.endpoint and r.capability = j.capability
      left join accounts a on a.n = coalesce(j.acct, r.acct)
      where j.calls is not r.calls or j.errors is not r.errors or j.credits is not r.credits`,
  },
  {
    // Where something may have been trimmed: what is left must be counted.
    invariant: 'L10',
    query: `with journal as (${ROWS} and e.at < ${WHOLE} * 86400000 group by 1, 2, 3, 4), rollup as (${ROLLUP} where u.day < ${WHOLE})
      select ${ROW} || ${SAYS} || ', what is left in the journal ' || j.calls || ' calls, ' || j.errors || ' errors' problem
      from journal j left join rollup r on r.acct = j.acct and r.day = j.day and r.endpoint = j.endpoint and r.capability = j.capability
      left join accounts a on a.n = j.acct where j.calls > coalesce(r.calls, 0) or j.errors > coalesce(r.errors, 0)`,
  },
  {
    // And the whole day must agree. A refund that says nothing was trimmed, or made after its charge was: then no rollup has it.
    invariant: 'L10',
    query: `with journal as (
        select e.acct, ${DAY} day, sum(${IS_CALL}) calls, sum(${ERROR}) errors, sum(${IS_CALL} and e.facts is null) mute,
          -sum(e.amt) credits, coalesce(sum(e.amt) filter (where e.facts is null and e.at - c.at >= ${DOUBTFUL_MS}), 0) back
        from entries e left join entries c on e.kind = 'refund' and c.acct = e.acct and c.ref = substr(e.ref, 4)
        where e.at < ${WHOLE} * 86400000 and e.kind in ('charge', 'release', 'refund') group by 1, 2),
      rollup as (select acct, day, sum(calls) calls, sum(errors) errors, sum(credits) credits from (${ROLLUP} where u.day < ${WHOLE}) group by 1, 2),
      both as (select coalesce(j.acct, r.acct) acct, coalesce(j.day, r.day) day, coalesce(j.calls, 0) calls, coalesce(j.errors, 0) errors, coalesce(j.mute, 0) mute,
          coalesce(j.credits, 0) credits, coalesce(j.back, 0) back, coalesce(r.calls, 0) said, coalesce(r.errors, 0) said_errors, coalesce(r.credits, 0) said_credits
        from journal j full join rollup r on r.acct = j.acct and r.day = j.day)
      select 'account ' || coalesce(a.id, '?') || ', day ' || date(b.day * 86400, 'unixepoch') || ': the rollup has ' || b.said || ' calls, ' || b.said_errors ||
        ' errors, ' || b.said_credits || ', the journal ' || b.calls || ' calls, ' || b.errors || ' to ' || (b.errors + b.mute) || ' errors, ' || b.credits ||
        case when b.back = 0 then '' else ' and up to ' || b.back end problem
      from both b left join accounts a on a.n = b.acct
      where b.said != b.calls or b.said_errors not between b.errors and b.errors + b.mute or b.said_credits not between b.credits and b.credits + b.back`,
  },
  {
    invariant: 'L10',
    query: `select 'series ' || s.endpoint || ' (' || s.id || ') says ' || s.n || ' calls, the journal has ' || coalesce(c.n, 0) || coalesce(', up to number ' || c.last, '') problem
      from series s left join (select series, count(*) n, max(nth) last from entries where nth is not null group by series) c on c.series = s.id
      where s.n < coalesce(c.n, 0) or s.n < coalesce(c.last, 0)`,
  },
  {
    invariant: 'L10',
    query: `select 'account ' || a.id || ': its series say ' || s.n || ' calls, the journal has ' || coalesce(e.listed, 0) || ' and ' || coalesce(e.mute, 0) || ' trimmed ones' problem
      from (select acct, sum(n) n from series group by acct) s join accounts a on a.n = s.acct
      left join (select acct, sum(nth is not null) listed, sum(${IS_CALL} and facts is null) mute from entries e group by acct) e on e.acct = s.acct
      where s.n != coalesce(e.listed, 0) + coalesce(e.mute, 0)`,
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

/** L10 needs the time too: what was noted as trimmed cannot lie ahead. */
export const AHEAD = `select 'entries are trimmed up to a time that has not come' problem where ${TRIMMED} > ?1`
