import type { Database } from './database.js'

/** Instance under which the counts of gateways that have ended are kept; no gateway has an empty name. */
const ENDED = ''

/** Adds the counts of refused calls of gateways that have ended into one row a place, so that they do not grow with every start. */
export function mergeRefused(db: Database) {
  const others = db.query<{ yes: number }>('select 1 yes from refused where instance not in (?1, ?2) limit 1')
  const add = db.query(
    `insert into refused (acct, day, instance, endpoint, capability, status, count)
     select acct, day, ?1, endpoint, capability, status, sum(count) from refused where instance not in (?1, ?2)
     group by acct, day, endpoint, capability, status on conflict do update set count = count + excluded.count`,
  )
  const drop = db.query('delete from refused where instance not in (?1, ?2)')

  /** Every instance but `owner` must have ended: what one of them wrote later would count twice. */
  return (owner: string): void => {
    if (others.get(ENDED, owner) === undefined) return
    add.run(ENDED, owner)
    drop.run(ENDED, owner)
  }
}
