import type { Clock } from '../../clock.js'
import type { Store } from '../port.js'
import { StoreRefused } from '../refused.js'
import { accounts } from './accounts.js'
import { shownPlace } from './address.js'
import { artifacts } from './artifacts.js'
import { buildCollections, buildModels } from './collections.js'
import { ask, connect, disconnect, refusal, TIMEOUTS, timeoutsIn, watch, type Timeouts } from './connection.js'
import { history } from './history.js'
import { holds } from './holds.js'
import { idempotency } from './idempotency.js'
import { makeIndexes } from './indexes.js'
import { keys } from './keys.js'
import { leases } from './leases.js'
import { ledgerReads } from './ledger-reads.js'
import { refuseUnfinishedMove } from './moves.js'
import { OpenHolds } from './open-holds.js'
import type { Log, MongoDeps } from './deps.js'
import { posts } from './posts.js'
import { Publisher } from './publisher.js'
import { redacted } from './redacted.js'
import { settlement } from './settlement.js'
import { makeSettings, settings } from './settings.js'
import { sweeps } from './sweeps.js'
import { describeTopology, commandOptions, readTopology } from './topology.js'
import { trims } from './trims.js'
import { usage } from './usage.js'

export interface MongoOptions {
  /** `mongodb://` or `mongodb+srv://`, with the name of the database. */
  readonly uri: string
  /** Hears of a server that goes away or comes back, and of accounts that a sweep cannot publish. */
  readonly log?: Log
  /** Compared with the server's clock when opening; the machine's by default. */
  readonly clock?: Pick<Clock, 'now'>
  readonly timeouts?: Partial<Timeouts>
  /** The ledger is just being moved there. */
  readonly moving?: boolean
}

/**
 * Opens the ledger on MongoDB. Rejects with StoreRefused, one line for the operator, for an address, password, certificate, clock or
 * server that will not do, and with StoreUnavailable when the server is out of reach.
 */
export async function openMongoStore(options: MongoOptions): Promise<Store> {
  const { uri } = options
  const log = options.log ?? (() => undefined)
  const timeouts = { ...TIMEOUTS, ...timeoutsIn(uri), ...options.timeouts }
  const connection = await connect(uri, timeouts)
  try {
    const topology = await readTopology(connection, options.clock ?? { now: () => Date.now() }, timeouts)
    if (options.moving !== true) await refuseUnfinishedMove(connection, timeouts.tripMs)
    await indexed(uri, timeouts, log)
    const tables = buildCollections(connection, buildModels(connection), commandOptions(topology, timeouts), topology.set !== null)
    await makeSettings({ tables })
    const deps: MongoDeps = { tables, holds: new OpenHolds(), publisher: new Publisher(tables), log }
    const unwatch = watch(connection, uri, log)
    return {
      ...portsOn(deps),
      shared: true,
      describe: () => Promise.resolve(describeTopology(shownPlace(uri), topology)),
      ping: async () => {
        await ask(connection, { ping: 1 }, timeouts.tripMs)
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

/** Makes the indexes on a connection of their own, where commands may take long: on a large collection they do. */
async function indexed(uri: string, timeouts: Timeouts, log: Log): Promise<void> {
  const connection = await connect(uri, { ...timeouts, tripMs: timeouts.openMs })
  try {
    await makeIndexes(connection, timeouts.openMs)
  } finally {
    await disconnect(connection, timeouts.tripMs, log)
  }
}

function portsOn(deps: MongoDeps): Omit<Store, 'shared' | 'describe' | 'ping' | 'backup' | 'close'> {
  const posting = posts(deps)
  return {
    ledger: {
      ...holds(deps),
      ...settlement(deps),
      ...posting,
      ...ledgerReads(deps),
      ...sweeps(deps, posting),
      ...trims(deps),
      delivered: (refs) => deps.publisher.delivered(refs),
    },
    accounts: accounts(deps),
    keys: keys(deps),
    idempotency: idempotency(deps),
    history: { ...history(deps), ...usage(deps) },
    leases: leases(deps),
    settings: settings(deps),
    artifacts: artifacts(deps),
  }
}
