import type { Rule } from './rules.js'

/** The time before which entries may have been trimmed, 0 for none; in a file that no version wrote which trims it is not there. */
export const TRIMMED = `(select coalesce(max(value), 0) from counters where name = 'trimmed')`

/** Nothing younger than a day is ever trimmed; an hour of it is for clocks. */
const DOUBTFUL_MS = 82_800_000

/** The first day from which nothing can have been trimmed. */
const WHOLE = `((${TRIMMED} + 86399999) / 86400000)`
const DAY = `cast(floor(e.at / 86400000.0) as integer)`
const IS_CALL = `e.kind in ('charge', 'release')`
const ROLLUP = `select u.acct, u.day, s.endpoint, s.capability, u.calls, u.errors, u.credits from usage u join series s on s.id = u.series`
const ROW = `'account ' || coalesce(a.id, '?') || ', day ' || date(coalesce(j.day, r.day) * 86400, 'unixepoch') || ', ' || coalesce(j.endpoint, r.endpoint)`
const SAYS = `': the rollup has ' || coalesce(r.calls || ' calls, ' || r.errors || ' errors, ' || r.credits, 'nothing')`

/**
 * L10: the rollup is what the entries add up to. Entries with a digest keep what counts for ever. Those of earlier versions lose it when
 * they are trimmed, so the days of an account that have such entries in the time that was trimmed are only bounded.
 */
export function usageRules(detailed: boolean): readonly Rule[] {
  const [digest, failed] = detailed ? ['e.digest', 'e.failed'] : ['null', 'null']
  const known = `(e.facts is not null or ${digest} is not null)`
  const call = `${IS_CALL} and ${known}`
  const error = `${call} and coalesce(${failed}, json_extract(e.facts, '$.error') is not null)`
  const old = `old as materialized (select distinct e.acct, ${DAY} day from entries e
    where ${digest} is null and e.kind in ('charge', 'release', 'refund') and e.at < ${WHOLE} * 86400000)`
  const rows = `select * from (select e.acct, ${DAY} day, coalesce(json_extract(e.facts, '$.endpoint'), s.endpoint) endpoint,
      coalesce(json_extract(e.facts, '$.capability'), s.capability) capability, sum(${call}) calls, sum(${error}) errors, -sum(e.amt) credits
    from entries e left join series s on s.id = e.series where ${known} group by 1, 2, 3, 4)`
  const isOld = `(acct, day) in (select acct, day from old)`
  const rollup = `select * from (${ROLLUP})`
  return [
    {
      invariant: 'L10',
      query: `with ${old}, journal as (${rows} where not ${isOld}), rollup as (${rollup} where not ${isOld})
        select ${ROW} || ${SAYS} || ', the journal ' || coalesce(j.calls || ' calls, ' || j.errors || ' errors, ' || j.credits, 'nothing') problem
        from journal j full join rollup r on r.acct = j.acct and r.day = j.day and r.endpoint = j.endpoint and r.capability = j.capability
        left join accounts a on a.n = coalesce(j.acct, r.acct)
        where j.calls is not r.calls or j.errors is not r.errors or j.credits is not r.credits`,
    },
    {
      // Where something may have been trimmed: what is left must be counted.
      invariant: 'L10',
      query: `with ${old}, journal as (${rows} where ${isOld}), rollup as (${rollup} where ${isOld})
        select ${ROW} || ${SAYS} || ', what is left in the journal ' || j.calls || ' calls, ' || j.errors || ' errors' problem
        from journal j left join rollup r on r.acct = j.acct and r.day = j.day and r.endpoint = j.endpoint and r.capability = j.capability
        left join accounts a on a.n = j.acct where j.calls > coalesce(r.calls, 0) or j.errors > coalesce(r.errors, 0)`,
    },
    {
      // And the whole day must agree. A refund that says nothing was trimmed, or made after its charge was: then no rollup has it.
      invariant: 'L10',
      query: `with ${old}, journal as (
          select e.acct, ${DAY} day, sum(${IS_CALL}) calls, sum(${error}) errors, sum(${IS_CALL} and not ${known}) mute,
            -sum(e.amt) credits, coalesce(sum(e.amt) filter (where not ${known} and e.at - c.at >= ${DOUBTFUL_MS}), 0) back
          from entries e left join entries c on e.kind = 'refund' and c.acct = e.acct and c.ref = substr(e.ref, 4)
          where (e.acct, ${DAY}) in (select acct, day from old) and e.kind in ('charge', 'release', 'refund') group by 1, 2),
        rollup as (select acct, day, sum(calls) calls, sum(errors) errors, sum(credits) credits from (${ROLLUP}) where ${isOld} group by 1, 2),
        both as (select coalesce(j.acct, r.acct) acct, coalesce(j.day, r.day) day, coalesce(j.calls, 0) calls, coalesce(j.errors, 0) errors, coalesce(j.mute, 0) mute,
            coalesce(j.credits, 0) credits, coalesce(j.back, 0) back, coalesce(r.calls, 0) rollup_calls, coalesce(r.errors, 0) rollup_errors, coalesce(r.credits, 0) rollup_credits
          from journal j full join rollup r on r.acct = j.acct and r.day = j.day)
        select 'account ' || coalesce(a.id, '?') || ', day ' || date(b.day * 86400, 'unixepoch') || ': the rollup has ' || b.rollup_calls || ' calls, ' || b.rollup_errors ||
          ' errors, ' || b.rollup_credits || ', the journal ' || b.calls || ' calls, ' || b.errors || ' to ' || (b.errors + b.mute) || ' errors, ' || b.credits ||
          case when b.back = 0 then '' else ' and up to ' || b.back end problem
        from both b left join accounts a on a.n = b.acct
        where b.rollup_calls != b.calls or b.rollup_errors not between b.errors and b.errors + b.mute or b.rollup_credits not between b.credits and b.credits + b.back`,
    },
    ...SERIES,
  ]
}

/** A series says how many calls it ever had. Every charge and every release is a call. */
const SERIES: readonly Rule[] = [
  {
    invariant: 'L10',
    query: `select 'series ' || s.endpoint || ' (' || s.id || ') says ' || s.n || ' calls, the journal has ' || coalesce(c.n, 0) || coalesce(', up to number ' || c.last, '') problem
      from series s left join (select series, count(*) n, max(nth) last from entries where nth is not null group by series) c on c.series = s.id
      where s.n < coalesce(c.n, 0) or s.n < coalesce(c.last, 0)`,
  },
  {
    invariant: 'L10',
    query: `select 'account ' || a.id || ': its series say ' || s.n || ' calls, the journal has ' || coalesce(e.n, 0) problem
      from (select acct, sum(n) n from series group by acct) s join accounts a on a.n = s.acct
      left join (select acct, sum(${IS_CALL}) n from entries e group by acct) e on e.acct = s.acct where s.n != coalesce(e.n, 0)`,
  },
]
