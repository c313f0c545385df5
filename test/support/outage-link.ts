import { setImmediate as turn } from 'node:timers/promises'
import { auditLedger } from '../../scripts/capstan/audit/ledger.js'
import { auditMongo } from '../../scripts/capstan/audit/mongodb.js'
import { openMongoStore } from '../../core/store/mongodb/store.js'
import { StoreUnavailable, type Store } from '../../core/store/types.js'
import { openSqliteStore } from '../../core/store/sqlite/store.js'
import { PORTS } from './lost-replies-links.js'
import { HandClock } from './outbound.js'

/** Turns of the event loop. */
const CALM_TURNS = 20

/** How a store is away: no command reaches it, it is unknown whether one does, or commands are carried out and no reply comes back. */
export type Absence = 'unsent' | 'unknown' | 'replies lost'

/** A store that a test can take away, for every command of every port. */
export class AbsentStore {
  readonly store: Store
  /** Null while it is there. */
  absence: Absence | null = null
  #running = 0

  constructor(inner: Store) {
    const port = (name: (typeof PORTS)[number]): [string, object] => {
      const methods = Object.entries(inner[name] as object as Record<string, (...args: unknown[]) => Promise<unknown>>)
      return [name, Object.fromEntries(methods.map(([method, run]) => [method, (...args: unknown[]) => this.#run(() => run(...args))]))]
    }
    this.store = { ...inner, ...Object.fromEntries(PORTS.map(port)), ping: () => this.#run(() => inner.ping()) }
  }

  /** Resolves when no command is under way, nor comes from what the last one brought about. */
  async quiet(): Promise<void> {
    for (let calm = 0; calm < CALM_TURNS; calm++) {
      await turn()
      if (this.#running > 0) calm = 0
    }
  }

  async #run<T>(command: () => Promise<T>): Promise<T> {
    const { absence } = this
    if (absence === null || absence === 'replies lost') {
      this.#running++
      const done = await command().finally(() => this.#running--)
      if (absence === null) return done
    }
    throw new StoreUnavailable('the store is away', { sent: absence !== 'unsent' })
  }
}

/** A ledger with two ways to it: the gateway's, which an outage cuts, and the test's. */
export interface OutageLink {
  readonly store: Store
  readonly direct: Store
  readonly clock: HandClock
  /** Problems that the auditor finds at a time in Unix ms. */
  audit(now: number): Promise<readonly string[]>
}

/** An embedded ledger in this file. */
export async function sqliteOutageLink(file: string): Promise<OutageLink> {
  const open = () => openSqliteStore({ file, thread: 'same' })
  const audit = (now: number) => Promise.resolve(auditLedger({ file, now, alive: true }).problems)
  return { store: await open(), direct: await open(), clock: new HandClock(), audit }
}

/** A ledger in this database, whose server's time is the gateway's. */
export async function mongoOutageLink(uri: string): Promise<OutageLink> {
  const clock = Object.assign(new HandClock(), { serverTime: () => clock.now() })
  const open = () => openMongoStore({ uri, clock })
  const audit = async (now: number) => (await auditMongo({ uri, now, alive: true })).problems
  return { store: await open(), direct: await open(), clock, audit }
}
