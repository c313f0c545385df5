import { accounts } from './accounts.js'
import { artifacts } from './artifacts.js'
import type { Database } from './database.js'
import { history } from './history.js'
import { holds } from './holds.js'
import { idempotency } from './idempotency.js'
import { keys } from './keys.js'
import { leases } from './leases.js'
import { deliveries, ledgerReads } from './ledger-reads.js'
import { posts } from './posts.js'
import { resolutions } from './resolutions.js'
import { settings } from './settings.js'
import type { Shared } from './shared.js'
import { sweeps } from './sweeps.js'
import { trims } from './trims.js'

/** Every command of the store on one connection, synchronous; whoever runs them puts the transaction around and writes `shared` before its end. */
export function buildCommands(db: Database, shared: Shared) {
  return {
    ...accounts(db),
    ...artifacts(db),
    ...deliveries(db),
    ...history(db),
    ...holds(db, shared),
    ...idempotency(db),
    ...keys(db),
    ...leases(db),
    ...ledgerReads(db),
    ...posts(db, shared),
    ...resolutions(db, shared),
    ...settings(db),
    ...sweeps(db, shared),
    ...trims(db),
  }
}

export type Commands = ReturnType<typeof buildCommands>
export type CommandName = keyof Commands

/** Commands that see the rows of `shared` only through it; before any other of one transaction those rows are written. */
export const SHARING: ReadonlySet<CommandName> = new Set<CommandName>([
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

/** Commands that change nothing and run outside the transaction, so they neither wait for the disk nor take the write lock. */
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
