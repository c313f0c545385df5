import { storedRecord } from '../stored.js'
import type { AuditEntry } from '../types.js'
import type { Database } from './database.js'

interface AuditRow extends Omit<AuditEntry, 'detail'> {
  readonly detail: string
}

/** Settings with a version that rises on every change, and the operator's audit log. */
export function settings(db: Database) {
  const get = db.query<{ value: string }>('select value from settings where name = ?')
  const list = db.query<{ name: string; value: string }>(
    'select name, value from settings where name >= ?1 and substr(name, 1, length(?1)) = ?1 order by name',
  )
  const put = db.query('insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value')
  const putIfAbsent = db.query('insert into settings (name, value) values (?, ?) on conflict (name) do nothing')
  const remove = db.query('delete from settings where name = ?')
  const raise = db.query(`update counters set value = value + 1 where name = 'settings'`)
  const version = db.query<{ value: number }>(`select value from counters where name = 'settings'`)
  const record = db.query('insert into audit (at, actor, action, target, detail) values (?, ?, ?, ?, ?)')
  const log = db.query<AuditRow>('select at, actor, action, target, detail from audit order by id desc limit ? offset ?')

  return {
    settingGet: (name: string): string | null => get.get(name)?.value ?? null,
    settingList: (prefix: string): { name: string; value: string }[] => list.all(prefix),
    settingPut: (name: string, value: string): void => {
      put.run(name, value)
      raise.run()
    },
    settingPutIfAbsent: (name: string, value: string): string => {
      if (putIfAbsent.run(name, value) > 0) raise.run()
      return get.get(name)?.value ?? value
    },
    settingDelete: (name: string): boolean => {
      const gone = remove.run(name) > 0
      if (gone) raise.run()
      return gone
    },
    settingsVersion: (): number => version.get()?.value ?? 0,
    audit: (entry: AuditEntry): void => {
      record.run(entry.at, entry.actor, entry.action, entry.target, JSON.stringify(entry.detail))
    },
    auditLog: (page: { limit: number; offset: number }): AuditEntry[] =>
      log.all(page.limit, page.offset).map((row) => ({ ...row, detail: storedRecord(row.detail) })),
  }
}

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
