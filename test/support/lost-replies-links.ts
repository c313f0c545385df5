import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../../core/runtime/clock.js'
import { auditLedger } from '../../scripts/capstan/audit/ledger.js'
import { auditMongo } from '../../scripts/capstan/audit/mongodb.js'
import { openMongoStore } from '../../core/store/mongodb/store.js'
import { StoreUnavailable, type Store } from '../../core/store/types.js'
import { openSqliteStore } from '../../core/store/sqlite/store.js'
import { isWork, MongoProxy, type Fault } from './mongodb-proxy.js'

/** Real time that can be moved on; nothing happens by itself, so that every command is one of the scenario. The server's clock moves with it. */
export class ShiftedClock implements Clock {
  #shift = 0

  now(): number {
    return Math.floor(Date.now() + this.#shift)
  }

  serverTime(): number {
    return this.now()
  }

  monotonic(): number {
    return performance.now() + this.#shift
  }

  after(): () => void {
    return () => undefined
  }

  every(): () => void {
    return () => undefined
  }

  pass(ms: number): void {
    this.#shift += ms
  }
}

/** Where a fault strikes: the n-th command that the work sends. */
export interface Strike {
  readonly at: number
  readonly fault: Fault
}

/** The report of an injected fault: the command it hit and how; null when there were not so many commands. */
export interface Hit {
  readonly command: string
  readonly fault: Fault
}

/** The way between a gateway and its ledger, which loses messages when the test says so. */
export interface LossyLink {
  readonly clock: ShiftedClock
  /** The store behind the link. */
  readonly store: Store
  /** The same ledger past the link. */
  readonly direct: Store
  /** Problems that the auditor finds at a time in Unix ms, with a gateway alive. */
  audit(now: number): Promise<string[]>
  /** Commands that some work sends. */
  commandsOf(work: () => Promise<unknown>): Promise<number>
  /** Does the work while one of its commands, or its answer, is lost. */
  lossy(strike: Strike, work: () => Promise<unknown>): Promise<Hit | null>
  close(): Promise<void>
}

/** A database behind a proxy that cuts connections at commands of the protocol. */
export async function mongoLink(uri: string): Promise<LossyLink> {
  const proxy = await MongoProxy.before(uri)
  const clock = new ShiftedClock()
  const direct = await openMongoStore({ uri, clock })
  return {
    clock,
    store: await openMongoStore({ uri: proxy.uri(uri), clock }),
    direct,
    audit: async (now) => (await auditMongo({ uri, now, alive: true })).problems,
    commandsOf: async (work) => (await proxy.watch(work)).length,
    lossy: async (strike, work) => {
      let hit: Hit | null = null
      const disarm = proxy.arm({
        matches: isWork,
        fault: strike.fault,
        skip: strike.at,
        onHit: ({ name, collection }) => {
          hit = { command: `${name} ${collection}`, fault: strike.fault }
        },
      })
      try {
        await work()
      } finally {
        disarm()
      }
      return hit
    },
    close: async () => {
      await direct.close()
      await proxy.close()
    },
  }
}

/** Ports of a store whose methods are one message to the ledger's thread and one back. */
export const PORTS = ['ledger', 'accounts', 'keys', 'idempotency', 'history', 'leases', 'settings', 'artifacts'] as const

/** A file behind messages between threads, one for each command: lost before the thread has it, or after its commit. A thread that hangs is taken for dead. */
export async function sqliteLink(): Promise<LossyLink> {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-lost-'))
  const file = join(folder, 'capstan.db')
  const direct = await openSqliteStore({ file, thread: 'same' })
  const inner = await openSqliteStore({ file, thread: 'same' })
  let sent = 0
  let strike: Strike | null = null
  let hit: Hit | null = null
  const carried = async (command: string, run: () => Promise<unknown>): Promise<unknown> => {
    const at = sent++
    if (strike === null || at !== strike.at) return await run()
    hit = { command, fault: strike.fault }
    if (strike.fault !== 'cut-request') await run()
    throw new StoreUnavailable(`the ledger's thread ended: the outcome of open commands is unknown`)
  }
  const port = (name: (typeof PORTS)[number]): [string, object] => {
    const methods = Object.entries(inner[name] as object as Record<string, (...args: unknown[]) => Promise<unknown>>)
    return [
      name,
      Object.fromEntries(
        methods.map(([method, run]) => [method, (...args: unknown[]) => carried(`${name}.${method}`, async () => await run(...args))]),
      ),
    ]
  }
  const store = { ...inner, ...Object.fromEntries(PORTS.map(port)) }
  return {
    clock: new ShiftedClock(),
    store,
    direct,
    audit: async (now) => auditLedger({ file, now, alive: true }).problems,
    commandsOf: async (work) => {
      const before = sent
      await work()
      return sent - before
    },
    lossy: async (next, work) => {
      sent = 0
      hit = null
      strike = next
      try {
        await work()
      } finally {
        strike = null
      }
      return hit
    },
    close: async () => {
      await direct.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
