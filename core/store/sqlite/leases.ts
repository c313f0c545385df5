import type { Database } from './database.js'

/** Leases of gateway instances. */
export function leases(db: Database) {
  const renew = db.query(
    'insert into leases (instance, expires) values (?, ?) on conflict (instance) do update set expires = excluded.expires',
  )
  const end = db.query('delete from leases where instance = ?')
  const live = db.query<{ instance: string }>('select instance from leases where expires > ? order by instance')
  const dead = db.query<{ instance: string }>('select instance from leases where expires <= ? order by instance')
  return {
    leaseRenew: (instance: string, now: number, ttlMs: number): void => {
      renew.run(instance, now + ttlMs)
    },
    leaseEnd: (instance: string): void => {
      end.run(instance)
    },
    leaseLive: (now: number): string[] => live.all(now).map((row) => row.instance),
    leaseDead: (now: number): string[] => dead.all(now).map((row) => row.instance),
  }
}
