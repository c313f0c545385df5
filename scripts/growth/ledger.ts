import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { hashKey, makeKey } from '../../core/accounts/layout.js'
import { ulid } from '../../core/runtime/id.js'
import { openSqliteStore } from '../../core/store/sqlite/store.js'
import type { Store } from '../../core/store/types.js'
import { keyOf } from '../../test/support/store.js'
import { LedgerLoad } from '../ledger-load.js'
import { Progress } from '../progress.js'

/** How much there is in a ledger. Keys belong to the accounts in turn. */
export interface Shape {
  readonly entries: number
  readonly accounts: number
  readonly keys: number
  /** Open holds of a gateway that is gone; none by default. */
  readonly holds?: number
}

/** A ledger on disk that no gateway is on, and its keys. */
export interface Filled {
  readonly keys: readonly string[]
  /** A new data folder with a copy of it. */
  copy(): string
  remove(): void
}

/** Commands that are given to the store at once. */
const TOGETHER = 128
const FILE = 'capstan.db'
const RATE = 100_000

/** Fills a ledger by commands of the store. */
export async function fillLedger(parent: string, { entries, accounts, keys, holds = 0 }: Shape): Promise<Filled> {
  const folder = mkdtempSync(join(parent, 'capstan-growth-'))
  const store = await openSqliteStore({ file: join(folder, FILE), thread: 'worker' })
  try {
    const load = await LedgerLoad.on([store], accounts)
    await addEntries(load, entries)
    const made = await addKeys(store, accounts, keys)
    await addHolds(store, accounts, holds)
    return { keys: made, copy: () => copyOf(parent, folder), remove: () => rmSync(folder, { recursive: true }) }
  } finally {
    // The last connection leaves no log behind: the file alone is the ledger.
    await store.close()
  }
}

async function addEntries(load: LedgerLoad, entries: number): Promise<void> {
  const progress = new Progress(entries, 'entries')
  for (let made = 0; made < entries; made += TOGETHER * 100) {
    progress.at(made)
    await load.times(TOGETHER, Math.min(TOGETHER * 100, entries - made))
    load.latencies.length = 0
  }
  if (load.unavailable > 0) throw new Error(`the store did not carry out ${load.unavailable} commands in its time`)
}

async function addKeys(store: Store, accounts: number, count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, makeKey)
  const progress = new Progress(count, 'keys')
  for (let from = 0; from < count; from += TOGETHER) {
    progress.at(from)
    await Promise.all(
      keys.slice(from, from + TOGETHER).map(async (key, index) => {
        const place = { id: `key_growth${from + index}`, account: `acc_${(from + index) % accounts}` }
        const made = await store.keys.create(keyOf({ ...place, hash: hashKey(key), rate_limit_per_minute: RATE, created_at: Date.now() }))
        if (!made.ok) throw new Error(`a key was refused: ${made.why}`)
      }),
    )
  }
  return keys
}

async function addHolds(store: Store, accounts: number, count: number): Promise<void> {
  for (let from = 0; from < count; from += TOGETHER)
    await Promise.all(
      Array.from({ length: Math.min(TOGETHER, count - from) }, async (_, index) => {
        const now = Date.now()
        const place = { account: `acc_${(from + index) % accounts}`, hold: ulid(now), amount: 1000, deadline: now + 600_000, owner: 'gone' }
        const order = { ...place, auth: 0, key: 'key_growth0', capped: false, capability: 'bench.echo', maxOpen: count, now }
        const held = await store.ledger.hold(order)
        if (!held.ok) throw new Error(`a hold was refused: ${held.why}`)
      }),
    )
}

function copyOf(parent: string, folder: string): string {
  const copy = mkdtempSync(join(parent, 'capstan-growth-'))
  for (const name of readdirSync(folder)) if (name.startsWith(FILE)) copyFileSync(join(folder, name), join(copy, name))
  return copy
}
