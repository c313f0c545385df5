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
import { sweeps } from './sweeps.js'

/** Every command of the store on one connection, synchronous; whoever runs them puts the transaction around. */
export function buildCommands(db: Database) {
  return {
    ...accounts(db),
    ...artifacts(db),
    ...deliveries(db),
    ...history(db),
    ...holds(db),
    ...idempotency(db),
    ...keys(db),
    ...leases(db),
    ...ledgerReads(db),
    ...posts(db),
    ...resolutions(db),
    ...settings(db),
    ...sweeps(db),
  }
}

export type Commands = ReturnType<typeof buildCommands>
export type CommandName = keyof Commands

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
