import type { Database } from './database.js'

/** Instance that holds the counts of ended gateways; no gateway has an empty name. */
const ENDED = ''

/** Merges the refused-call counts of ended gateways into one row each, so that rows do not grow with every start. */
export function mergeRefused(db: Database) {
  const others = db.query<{ yes: number }>('select 1 yes from refused where instance not in (?1, ?2) limit 1')
  const add = db.query(
    `insert into refused (acct, day, instance, endpoint, capability, status, count)
     select acct, day, ?1, endpoint, capability, status, sum(count) from refused where instance not in (?1, ?2)
     group by acct, day, endpoint, capability, status on conflict do update set count = count + excluded.count`,
  )
  const drop = db.query('delete from refused where instance not in (?1, ?2)')

  /** Every instance except `owner` must have ended: later writes of one would count twice. */
  return (owner: string): void => {
    if (others.get(ENDED, owner) === undefined) return
    add.run(ENDED, owner)
    drop.run(ENDED, owner)
  }
}
