import { cpus } from 'node:os'
import type { Config } from '../config/types.js'
import { createSandbox } from '../exec/sandbox.js'
import type { Sandbox } from '../exec/types.js'
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
const ACCOUNTS_A_PAGE = 100

interface OpeningParts {
  readonly config: Config
  readonly clock: Clock
  readonly log: Log
  readonly outbound: Outbound
  readonly store: Store
}

/** Opens the database that a setting names. Throws StoreRefused, StoreUnavailable. */
export async function openLedger({ config, clock, log }: Omit<OpeningParts, 'outbound' | 'store'>): Promise<Store> {
  const { store, data } = config.settings
  return await openStore(store, data, { thread: 'worker', reserveBytes: RESERVE_BYTES, log, clock })
}

/** Opens the Redis that replicas share; null without one. Throws ConfigError for a wrong address or credentials. */
export async function openShared({ config, clock, log }: Omit<OpeningParts, 'outbound' | 'store'>): Promise<RedisLink | null> {
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

/** Number of enabled accounts, counting stops at two. */
export async function enabledAccounts({ accounts }: Store): Promise<number> {
  let enabled = 0
  for (let offset = 0; enabled < 2; offset += ACCOUNTS_A_PAGE) {
    const page = await accounts.list({ limit: ACCOUNTS_A_PAGE, offset })
    enabled += page.filter(({ disabled }) => !disabled).length
    if (page.length < ACCOUNTS_A_PAGE) break
  }
  return Math.min(enabled, 2)
}

/** The sandbox, whose programs reach the network through the guard's proxy. */
export function openSandbox({ config, outbound, store, log }: OpeningParts): Sandbox {
  const sockets = new ProxySockets(outbound.proxy)
  const sandbox = createSandbox({
    clock: systemClock,
    log: (message, fields) => log('sandbox', message, fields),
    programs: (name) => config.program(name) ?? undefined,
    slots: config.settings.limits.code_slots ?? Math.max(2, cpus().length * 2),
    proxySocket: (uid) => sockets.pathFor(uid),
    withoutGroups: config.settings.sandbox.without_groups,
    enabledAccounts: () => enabledAccounts(store),
    ...hiddenPaths(config),
  })
  return { ...sandbox, close: () => sandbox.close().finally(() => sockets.close()) }
}
