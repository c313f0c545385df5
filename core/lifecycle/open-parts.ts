import { randomBytes } from 'node:crypto'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { systemClock, type Clock } from '../runtime/clock.js'
import { needRestart } from '../config/need-restart.js'
import type { Config } from '../config/types.js'
import { ConfigError } from '../problems/errors.js'
import type { Opened, Overrides } from './opened.js'
import type { Log } from '../runtime/log-events.js'
import { createSandbox } from '../exec/sandbox.js'
import { ProxySockets } from './proxy-sockets.js'
import type { Sandbox } from '../exec/types.js'
import { ulid } from '../runtime/id.js'
import { AdminToken } from '../accounts/admin-token.js'
import { loadPlugins } from '../loader/load.js'
import { RegistryHolder } from '../loader/holder.js'
import { knownNames } from '../loader/known-names.js'
import type { Registry } from '../loader/types.js'
import type { RedisLink } from '../redis/types.js'
import { openArtifacts } from './open-artifacts.js'
import { hiddenPaths } from './hidden-paths.js'
import { createOutbound } from '../outbound/index.js'
import type { Outbound } from '../outbound/types.js'
import { placesOf, type Places } from '../diagnosis/readiness.js'
import { packageRoot, packageVersion } from '../runtime/root.js'
import { openStore } from '../store/open.js'
import type { Store } from '../store/types.js'
import { openLog } from '../telemetry/log.js'
import { telemetryWith } from '../telemetry/telemetry.js'

/** Disk space reserved to complete open calls when the disk is full. */
const RESERVE_BYTES = 8 * 1024 * 1024
const ACCOUNTS_A_PAGE = 100

interface OpenedParts {
  readonly opened: Opened
  readonly places: Places
  /** Loads the plugins by the current configuration. */
  readonly load: () => Promise<Registry>
  /** Settings that had changed when the configuration was last read and require a restart. */
  readonly needRestart: () => readonly string[]
  readonly token: AdminToken
  /** Sets the public address, unless the operator configured one. */
  readonly setPublicUrl: (url: string) => void
}

/** For a gateway embedded in another process. */
const NO_FAULTS = { logLinesDropped: () => 0, unownedErrors: () => ({ exception: 0, rejection: 0 }) }

/** Opens database, sandbox, plugins and other asynchronous parts. On failure, closes those already open. */
export async function openParts(config: Config, overrides: Overrides, reread: () => Config): Promise<OpenedParts> {
  const { settings } = config
  const clock = overrides.clock ?? systemClock
  const log = overrides.log ?? openLog(settings.log).log
  const store =
    overrides.store ?? (await openStore(settings.store, settings.data, { thread: 'worker', reserveBytes: RESERVE_BYTES, log, clock }))
  let redis: RedisLink | null = null
  const outbound = overrides.outbound ?? createOutbound(outboundSettings(config), clock, log)
  const sandbox = overrides.sandbox ?? openSandbox({ config, outbound, store }, (message, fields) => log('sandbox', message, fields))
  try {
    let inUse: Registry | null = null
    let waiting: readonly string[] = []
    const load =
      overrides.load ??
      (async () => {
        const now = reread()
        inUse = await loadAll(now, { sandbox, log, before: inUse?.guests ?? [] })
        waiting = needRestart(config, now, knownNames(inUse).programs)
        if (waiting.length > 0) log('restart-needed', 'changed settings need a restart', { settings: waiting })
        return inUse
      })
    const holder = new RegistryHolder(await load())
    redis = await openShared(config, clock, log)
    const blobs = await openArtifacts(config, { transport: outbound.operator, clock, log })
    let publicUrl = settings.server.public_url ?? ''
    const token = await AdminToken.open(settings.server.admin_token, store.settings)
    const opened: Opened = {
      config,
      clock,
      log,
      faults: overrides.faults ?? NO_FAULTS,
      instance: ulid(clock.now()),
      store,
      outbound,
      sandbox,
      redis,
      blobs,
      holder,
      telemetryFor: await telemetryWith(settings.otel.endpoint),
      linkSecret: await store.settings.putIfAbsent('link-secret', randomBytes(32).toString('hex')),
      publicUrl: () => publicUrl,
      measureLoad: overrides.measureLoad,
    }
    const setPublicUrl = (url: string): void => {
      if (settings.server.public_url === null) publicUrl = url
    }
    return { opened, places: await placesOf({ store, redis, blobs }), load, needRestart: () => waiting, token, setPublicUrl }
  } catch (error) {
    redis?.close()
    await Promise.allSettled([sandbox.close(), outbound.close(), store.close()])
    throw error
  }
}

/** Opens the Redis that replicas share; null without one. Throws ConfigError for a wrong address or credentials. */
async function openShared(config: Config, clock: Clock, log: Log): Promise<RedisLink | null> {
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

function openSandbox(
  { config, outbound, store }: { readonly config: Config; readonly outbound: Outbound; readonly store: Store },
  log: (message: string, fields?: Readonly<Record<string, unknown>>) => void,
): Sandbox {
  const sockets = new ProxySockets(outbound.proxy)
  const sandbox = createSandbox({
    clock: systemClock,
    log,
    programs: (name) => config.program(name) ?? undefined,
    slots: config.settings.limits.code_slots ?? Math.max(2, cpus().length * 2),
    proxySocket: (uid) => sockets.pathFor(uid),
    withoutGroups: config.settings.sandbox.without_groups,
    enabledAccounts: () => enabledAccounts(store),
    ...hiddenPaths(config),
  })
  return { ...sandbox, close: () => sandbox.close().finally(() => sockets.close()) }
}

/** Loads the plugins and checks their configuration against their declarations. Throws ConfigError, PluginError. */
async function loadAll(config: Config, about: { sandbox: Sandbox; log: Log; before: Registry['guests'] }): Promise<Registry> {
  const { sandbox, log, before } = about
  const registry = await loadPlugins({
    config,
    programs: (name) => sandbox.program(name),
    thirdParty: config.settings.plugin_folders,
    clock: systemClock,
    log,
    before,
    cacheFolder: join(config.settings.data, 'cache'),
    lockFile: join(packageRoot(), 'plugins.lock'),
  })
  const problems = config.problems(knownNames(registry))
  const errors = problems.filter(({ level }) => level === 'error')
  if (errors.length > 0) throw new ConfigError(errors)
  for (const { where, message } of problems) log('configuration-warning', `${where}: ${message}`)
  return registry
}
