import { accounts } from './accounts.js'
import { artifacts } from './artifacts.js'
import type { Database } from './database.js'
import { history, trims } from './history.js'
import { holds } from './holds.js'
import { idempotency } from './idempotency.js'
import { keys } from './keys.js'
import { leases, settings } from './settings.js'
import { deliveries, ledgerReads } from './ledger-reads.js'
import { posts } from './posts.js'
import { settlement } from './settlement.js'
import { SetAside } from './set-aside.js'
import type { WriteCache } from './write-cache.js'
import { sweeps } from './sweeps.js'

/** All commands of the store on one connection, synchronous. The caller opens transactions and writes `cache`. */
export function buildCommands(db: Database, cache: WriteCache) {
  const aside = new SetAside(db)
  return {
    ...accounts(db),
    ...artifacts(db),
    ...deliveries(db, cache),
    ...history(db),
    ...holds(db, cache, aside),
    ...idempotency(db),
    ...keys(db),
    ...leases(db),
    ...ledgerReads(db),
    ...posts(db, cache),
    ...settlement(db, cache),
    ...settings(db),
    ...sweeps(db, cache, aside),
    ...trims(db, cache),
  }
}

export type Commands = ReturnType<typeof buildCommands>
export type CommandName = keyof Commands

/** Commands that access cached rows only through `cache`, which is written before any other command. */
export const CACHED: ReadonlySet<CommandName> = new Set<CommandName>([
  'hold',
  'charge',
  'release',
  'post',
  'refund',
  'setOverage',
  'delivered',
  'claim',
  'keep',
  'free',
  'finalise',
  'trim',
])

/** Reads, run outside the transaction, so that they neither wait for the disk nor take the write lock. */
export const READS: ReadonlySet<CommandName> = new Set<CommandName>([
  'accountGet',
  'accountByName',
  'accountList',
  'artifactGet',
  'artifactsExpired',
  'artifactsUsed',
  'auditLog',
  'balance',
  'calls',
  'capRoom',
  'entries',
  'keyFind',
  'keyGet',
  'keyList',
  'leaseDead',
  'leaseLive',
  'resolve',
  'settingGet',
  'settingList',
  'settingsVersion',
  'usage',
])
