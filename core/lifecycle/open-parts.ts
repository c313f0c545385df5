import { cpus } from 'node:os'
import type { Config } from '../config/types.js'
import { createSandbox } from '../exec/sandbox.js'
import type { Sandbox } from '../exec/types.js'
import { createOutbound } from '../outbound/index.js'
import type { Outbound } from '../outbound/types.js'
import type { RedisLink } from '../redis/types.js'
import { systemClock, type Clock } from '../runtime/clock.js'
import type { Log } from '../runtime/log-events.js'
import { packageVersion } from '../runtime/root.js'
import { openStore } from '../store/open.js'
import type { Store } from '../store/types.js'
import { hiddenPaths } from './hidden-paths.js'
import { ProxySockets } from './proxy-sockets.js'

/** Disk space reserved to complete open calls when the disk is full. */
const RESERVE_BYTES = 8 * 1024 * 1024

/** The parts of a gateway that reach the network, and what they need. */
export interface OpenedParts {
  readonly config: Config
  readonly clock: Clock
  readonly log: Log
  readonly outbound: Outbound
  /** The Redis that replicas share; null where this gateway keeps its limits in memory. */
  readonly redis: RedisLink | null
  /** Number of enabled accounts, counting stops at two. */
  readonly enabledAccounts: () => Promise<number>
}
type OpeningParts = Pick<OpenedParts, 'config' | 'clock' | 'log'>

/** Opens the database that a setting names. Throws StoreRefused, StoreUnavailable. */
export async function openLedger({ config: { settings }, clock, log }: OpeningParts): Promise<Store> {
  return await openStore(settings.store, settings.data, { thread: 'worker', reserveBytes: RESERVE_BYTES, log, clock })
}

export function openOutbound({ config, clock, log }: OpeningParts): Outbound {
  return createOutbound(outboundSettings(config), clock, log)
}

/** Opens the Redis that replicas share; null without one. Throws ConfigError for a wrong address or credentials. */
export async function openShared({ config, clock, log }: OpeningParts): Promise<RedisLink | null> {
  const { redis } = config.settings
  if (redis === null) return null
  const { openRedis } = await import('../redis/client.js')
  return await openRedis({ url: redis, setting: config.variable('redis'), clock, log })
}

/** Settings of outbound connections. */
export function outboundSettings({ settings }: Config) {
  const { allow_private, proxy, per_host } = settings.outbound
  const { dns, whois, smtp_port } = settings.net
  return {
    allowPrivate: allow_private,
    proxy,
    dns,
    whois,
    smtpPort: smtp_port,
    perHost: per_host,
    userAgent: `capstan/${packageVersion()}`,
  }
}

/** The sandbox, whose programs reach the network through the guard's proxy. */
export function openSandbox({ config, outbound, log, enabledAccounts }: Omit<OpenedParts, 'redis'>): Sandbox {
  const sockets = new ProxySockets(outbound.proxy)
  const sandbox = createSandbox({
    clock: systemClock,
    log: (message, fields) => log('sandbox', message, fields),
    programs: (name) => config.program(name) ?? undefined,
    slots: config.settings.limits.code_slots ?? Math.max(2, cpus().length * 2),
    proxySocket: (uid) => sockets.pathFor(uid),
    withoutGroups: config.settings.sandbox.without_groups,
    enabledAccounts,
    ...hiddenPaths(config),
  })
  return { ...sandbox, close: () => sandbox.close().finally(() => sockets.close()) }
}
