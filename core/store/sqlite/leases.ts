import type { Database } from './database.js'

/** Leases of gateway instances. */
export function leases(db: Database) {
  const renew = db.query(
    'insert into leases (instance, expires) values (?, ?) on conflict (instance) do update set expires = excluded.expires',
  )
  const end = db.query('delete from leases where instance = ?')
  const waiting = db.query<{ yes: number }>('select 1 yes from undelivered where owner = ? and refunded = 0 limit 1')
  const live = db.query<{ instance: string }>('select instance from leases where expires > ? order by instance')
  const dead = db.query<{ instance: string }>('select instance from leases where expires <= ? order by instance')
  return {
    leaseRenew: (instance: string, now: number, ttlMs: number): void => {
      renew.run(instance, now + ttlMs)
    },
    /** While answers are undelivered the lease is left to expire, so that a sweep refunds them. */
    leaseEnd: (instance: string): boolean => {
      if (waiting.get(instance) !== undefined) return false
      end.run(instance)
      return true
    },
    leaseLive: (now: number): string[] => live.all(now).map((row) => row.instance),
    leaseDead: (now: number): string[] => dead.all(now).map((row) => row.instance),
  }
}
