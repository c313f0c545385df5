import type { Connection } from 'mongoose'
import { type Store, StoreRefused } from '../types.js'
import { within } from './deadline.js'
import { mapFailure } from './failure.js'
import { accounts } from './accounts.js'
import {
  adminCommand,
  connect,
  disconnect,
  redacted,
  refusal,
  shownPlace,
  TIMEOUTS,
  type Timeouts,
  timeoutsIn,
  watch,
} from './connection.js'
import { artifacts } from './artifacts.js'
import { buildCollections, buildModels } from './collections.js'
import { DeliveryLog } from './deliveries.js'
import { marks, settlement } from './settlement.js'
import { history, trims } from './history.js'
import { holds } from './holds.js'
import { idempotency } from './idempotency.js'
import { makeIndexes } from './indexes.js'
import { capRoom } from './caps.js'
import { keys } from './keys.js'
import { type LeaseDeps, leases, makeSettings, refuseOtherSchema, settings } from './settings.js'
import { ledgerReads } from './ledger-reads.js'
import { type MongoDeps, OpenHolds } from './deps.js'
import type { Log } from '../../runtime/log-events.js'
import { posts } from './posts.js'
import { Publisher } from './publisher.js'
import { Publishing } from './publishing.js'
import { type CallerClock, ServerClock } from './server-clock.js'
import { sweeps } from './sweeps.js'
import { commandOptions, describeTopology, readTopology } from './topology.js'
import { usage } from './usage.js'

/** Throws StoreRefused during and after an interrupted move to this database: half a ledger must not be served. */
export async function refuseUnfinishedMove(connection: Connection, ms: number): Promise<void> {
  const moves = connection.db?.collection<{ _id: string; state: string; from: string }>('moves')
  if (moves === undefined) return
  const mark = await within(ms, moves.findOne({ _id: 'move' })).catch((error: unknown) => {
    throw mapFailure(error)
  })
  if (mark?.state === 'running')
    throw new StoreRefused(
      `the database the store setting (CAPSTAN_STORE) names holds an unfinished move from ${mark.from}: wait for it, or give capstan store move again`,
    )
}

export interface MongoOptions {
  /** `mongodb://` or `mongodb+srv://`, with the name of the database. */
  readonly uri: string
  /** Receives the loss and return of the server, and accounts that cannot be published. */
  readonly log?: Log
  /** Compared with the server's clock on opening; the machine's by default. */
  readonly clock?: CallerClock
  readonly timeouts?: Partial<Timeouts>
  /** Receives every command as it is sent, to measure the cost of calls. */
  readonly onCommand?: (name: string, command: Readonly<Record<string, unknown>>) => void
  /** Opened by the move of a ledger to this database. */
  readonly moving?: boolean
}

/** Counts of pending work in this process. */
interface StoreStats {
  /** Accounts queued for publishing. */
  readonly waiting: number
  /** Accounts set aside. */
  readonly aside: number
  /** Charges whose answers are not known to be written. */
  readonly undelivered: number
}

type MongoStore = Store & { stats(): StoreStats }

/**
 * Opens the ledger on MongoDB. Rejects with StoreRefused, one line for the operator, for an unusable address, password,
 * certificate, clock or server, and with StoreUnavailable when the server is unreachable.
 */
export async function openMongoStore(options: MongoOptions): Promise<MongoStore> {
  const { uri } = options
  const log = options.log ?? (() => undefined)
  const timeouts = { ...TIMEOUTS, ...timeoutsIn(uri), ...options.timeouts }
  const { onCommand } = options
  const connection = await connect(uri, timeouts, onCommand !== undefined)
  if (onCommand !== undefined) connection.getClient().on('commandStarted', ({ commandName, command }) => onCommand(commandName, command))
  try {
    const topology = await readTopology(connection, options.clock ?? { now: () => Date.now() }, timeouts)
    if (options.moving !== true) await refuseUnfinishedMove(connection, timeouts.tripMs)
    const tables = buildCollections(connection, buildModels(connection), commandOptions(topology, timeouts), topology.set !== null)
    await refuseOtherSchema({ tables })
    await indexed({ uri, timeouts, log, connection })
    await makeSettings({ tables })
    const clock = new ServerClock(options.clock ?? null)
    if (topology.time !== null) clock.measured(topology.time)
    const deps = depsOn(tables, clock, log)
    const measure = async (): Promise<void> => {
      if (clock.simulated) return
      const before = clock.monotonic()
      const { localTime } = await adminCommand(connection, { hello: 1 }, timeouts.tripMs)
      if (localTime instanceof Date) clock.measured(localTime.getTime() + (clock.monotonic() - before) / 2)
    }
    const unwatch = watch(connection, uri, log)
    return {
      ...portsOn({ ...deps, measure }),
      stats: () => ({
        waiting: deps.publisher.waiting,
        aside: deps.publisher.aside.list().length,
        undelivered: deps.deliveries.pending,
      }),
      shared: true,
      describe: () => Promise.resolve(describeTopology(shownPlace(uri), topology)),
      ping: async () => {
        await adminCommand(connection, { ping: 1 }, timeouts.tripMs)
      },
      backup: () =>
        Promise.reject(
          new StoreRefused(
            `the store setting names ${redacted(uri)}, which capstan does not copy: use mongodump, with --oplog on a replica set, or snapshots of its disk`,
          ),
        ),
      close: async () => {
        unwatch()
        await deps.publisher.idle()
        await disconnect(connection, 2 * timeouts.tripMs, log)
      },
    }
  } catch (error) {
    await disconnect(connection, timeouts.tripMs, log)
    throw refusal(error, uri)
  }
}

/** Creates the indexes on a separate connection without a time limit; rejects when the server is lost meanwhile. */
async function indexed(order: { uri: string; timeouts: Timeouts; log: Log; connection: Connection }): Promise<void> {
  const { uri, timeouts, log } = order
  const connection = await connect(uri, { ...timeouts, tripMs: 0 })
  try {
    await makeIndexes(connection, { log, alive: () => adminCommand(order.connection, { ping: 1 }, timeouts.tripMs) })
  } finally {
    await disconnect(connection, timeouts.tripMs, log)
  }
}

function depsOn(tables: MongoDeps['tables'], clock: ServerClock, log: Log): MongoDeps {
  const publisher = new Publisher({ tables, log, clock })
  const base = { tables, holds: new OpenHolds(), publisher, deliveries: new DeliveryLog(tables.gateways), clock, log }
  return { ...base, publishing: new Publishing(base) }
}

function portsOn(deps: LeaseDeps): Omit<Store, 'shared' | 'describe' | 'ping' | 'logBytes' | 'disk' | 'backup' | 'close'> {
  const posting = posts(deps)
  const keyStore = keys(deps)
  return {
    ledger: {
      ...holds(deps),
      ...settlement(deps),
      ...posting,
      ...ledgerReads(deps),
      ...capRoom(deps),
      ...sweeps(deps, posting, keyStore),
      ...marks(deps),
      ...trims(deps),
      publish: ({ instance }) => deps.publishing.round(instance),
    },
    accounts: accounts(deps),
    keys: keyStore,
    idempotency: idempotency(deps),
    history: { ...history(deps), ...usage(deps) },
    leases: leases(deps),
    settings: settings(deps),
    artifacts: artifacts(deps),
  }
}
