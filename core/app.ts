import { randomBytes } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { chmod } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { auditLedger } from './audit/ledger.js'
import { systemClock } from './clock.js'
import { ConfigError, type Config } from './config/port.js'
import { buildContainer, PARTS } from './container.js'
import { createSandbox, jobFolder } from './exec/index.js'
import type { Sandbox } from './exec/port.js'
import type { Log } from './dispatch/environment.js'
import { firstRun, type FirstRun } from './first-run.js'
import { adminApp } from './http/admin-app.js'
import { pipeline } from './http/pipeline.js'
import { readiness } from './http/readiness.js'
import { allRoutes } from './http/routes/all.js'
import type { HttpServices } from './http/services.js'
import { ulid } from './id.js'
import { AdminToken } from './keys/admin-token.js'
import { loadPlugins } from './loader/index.js'
import { knownNames } from './loader/known-names.js'
import { RegistryHolder } from './loader/holder.js'
import type { Registry } from './loader/port.js'
import { createOutbound } from './outbound/index.js'
import type { Outbound } from './outbound/port.js'
import type { Overrides } from './overrides.js'
import { Problem } from './problems/problem.js'
import { packageRoot, packageVersion } from './root.js'
import { openStore } from './store/open.js'
import { openLog } from './telemetry/log.js'
import { telemetryWith } from './telemetry/telemetry.js'

/** A gateway that is built and does not listen. */
export interface App {
  readonly services: HttpServices
  readonly listener: RequestListener
  readonly adminListener: RequestListener
  /** What the first start on an empty store made, to be shown once. */
  readonly firstRun: (FirstRun & { readonly admin_token: string | null }) | null
  /** The public address, once it is known where the gateway listens. */
  setPublicUrl(url: string): void
  /** Tries the promises of the sandbox, so that the first call does not wait for it. */
  selfCheck(): Promise<void>
  /** Refuses new calls from now on; those running go on. */
  drain(): void
  /** Stops the calls that are still running; what they hold is given back. */
  cut(): void
  /** Paid calls running now. */
  readonly running: () => number
  /** Writes what waits and lets everything go. */
  close(): Promise<void>
}

/** Builds a gateway from a configuration. `reread` reads the configuration again for a reload. */
export async function createApp(config: Config, overrides: Overrides = {}, reread: () => Config = () => config): Promise<App> {
  const { settings } = config
  const clock = overrides.clock ?? systemClock
  const log = overrides.log ?? openLog(settings.log.level).log
  const instance = ulid(clock.now())
  const store = overrides.store ?? (await openStore(settings.store, settings.data, { thread: 'worker' }))
  const outbound = overrides.outbound ?? createOutbound(outboundSettings(config), clock, (message, fields) => log('warn', message, fields))
  const sandbox = overrides.sandbox ?? openSandbox(config, outbound, (message, fields) => log('info', message, fields))
  const load = overrides.load ?? (() => loadAll(reread(), sandbox, log))
  const holder = new RegistryHolder(await load())
  let publicUrl = settings.server.public_url ?? ''
  const { token, made } = await AdminToken.open(settings.server.admin_token, store.settings)
  const container = buildContainer({
    config,
    clock,
    log,
    instance,
    store,
    outbound,
    sandbox,
    holder,
    telemetryFor: await telemetryWith(settings.otel.endpoint),
    linkSecret: await store.settings.putIfAbsent('link-secret', randomBytes(32).toString('hex')),
    publicUrl: () => publicUrl,
    measureLoad: overrides.measureLoad,
  })
  const shedder = container.resolve(PARTS.shedder)
  const orders = container.resolve(PARTS.orders)
  const reload = async (): Promise<void> => {
    try {
      await holder.swap(await load())
      log('info', 'plugins and configuration were read again', { version: holder.current.version })
    } catch (error) {
      log('error', 'the reload failed; the old state stays', { error: String(error) })
      throw new Problem(
        'conflict',
        `The reload failed and the old state stays: ${error instanceof Error ? error.message : String(error)}`,
        { cause: error },
      )
    }
  }
  const services: HttpServices = {
    settings,
    clock,
    log,
    store,
    registry: () => holder.current,
    calls: container.resolve(PARTS.calls),
    authenticator: container.resolve(PARTS.authenticator),
    adminToken: token,
    logins: container.resolve(PARTS.logins),
    rates: container.resolve(PARTS.rates),
    concurrency: container.resolve(PARTS.concurrency),
    aborts: container.resolve(PARTS.aborts),
    shedder,
    refusals: container.resolve(PARTS.refusals),
    artifacts: container.resolve(PARTS.artifacts),
    telemetry: container.resolve(PARTS.telemetry),
    compiler: container.resolve(PARTS.compiler),
    keyUses: container.resolve(PARTS.keyUses),
    keys: container.resolve(PARTS.keys),
    suspensions: container.resolve(PARTS.suspensions),
    orders,
    publicUrl: () => publicUrl,
    readiness: () => readiness(store, holder.current, shedder.draining),
    reload,
  }
  const desk = container.resolve(PARTS.desk)
  const routes = allRoutes(services, { desk, history: container.resolve(PARTS.history), auditLedger: () => audit(config) })
  const sweeper = container.resolve(PARTS.sweeper)
  await sweeper.start()
  await orders.look()
  services.artifacts.startPurge(log)
  const first = await firstRun(store, clock, { desk, keys: services.keys, instance })
  return {
    services,
    listener: listenerOf(pipeline(services, routes)),
    adminListener: listenerOf(adminApp(services)),
    firstRun: first === null ? null : { ...first, admin_token: made },
    setPublicUrl: (url) => {
      if (settings.server.public_url === null) publicUrl = url
    },
    selfCheck: async () => {
      const { live, detail } = await sandbox.status()
      log(live ? 'info' : 'warn', live ? `sandbox: ${detail}` : `no sandbox: ${detail}; what needs it is refused`)
    },
    drain: () => {
      shedder.draining = true
    },
    cut: () => services.calls.running.cut(),
    running: () => services.calls.running.size,
    close: async () => {
      shedder.close()
      orders.close()
      services.artifacts.close()
      await Promise.all([container.resolve(PARTS.deliveries).flush(), services.refusals.flush(), services.keyUses.flush()])
      await sweeper.close()
      await container.resolve(PARTS.resources).close()
      await Promise.all([container.resolve(PARTS.workers).close(), sandbox.close(), holder.current.dispose(), services.telemetry.close()])
      await Promise.all([outbound.close(), store.close()])
    },
  }
}

/** A listener of an application; every rejection is answered inside, so nothing is left to wait for. */
function listenerOf(app: { callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void> }): RequestListener {
  const handle = app.callback()
  return (request, response) => void handle(request, response)
}

function outboundSettings({ settings }: Config) {
  const { allow_private, proxy, per_host } = settings.outbound
  return { allowPrivate: allow_private, proxy, dns: settings.net.dns, perHost: per_host, userAgent: `capstan/${packageVersion()}` }
}

function openSandbox(
  config: Config,
  outbound: Outbound,
  log: (message: string, fields?: Readonly<Record<string, unknown>>) => void,
): Sandbox {
  const folder = tmpdir()
  const socket = lazily(async () => {
    const path = join(await jobFolder(folder), 'proxy.sock')
    // Jobs run as users of their own and must be able to enter.
    await chmod(dirname(path), 0o711)
    await outbound.proxy.listenOnSocket(path)
    return path
  })
  return createSandbox({
    clock: systemClock,
    log,
    programs: (name) => config.program(name) ?? undefined,
    slots: config.settings.limits.code_slots ?? Math.max(2, cpus().length * 2),
    folder,
    proxySocket: socket,
    protectedPaths: [config.settings.data],
  })
}

/** Makes a value when first asked for, once; a failure is tried again by the next asking. */
function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  return () => {
    made ??= make().catch((error: unknown) => {
      made = null
      throw error
    })
    return made
  }
}

/** Loads the plugins and holds what the configuration says of them against what they declare. Throws ConfigError, PluginError. */
async function loadAll(config: Config, sandbox: Sandbox, log: Log): Promise<Registry> {
  const registry = await loadPlugins({
    config,
    programs: (name) => sandbox.program(name),
    thirdParty: config.settings.plugin_folders,
    clock: systemClock,
    log,
    cacheFolder: join(config.settings.data, 'cache'),
    lockFile: join(packageRoot(), 'plugins.lock'),
  })
  const problems = config.problems(knownNames(registry))
  const errors = problems.filter(({ level }) => level === 'error')
  if (errors.length > 0) throw new ConfigError(errors)
  for (const { where, message } of problems) log('warn', `${where}: ${message}`)
  return registry
}

async function audit({ settings }: Config) {
  const [, file] = /^sqlite:(.+)$/.exec(settings.store) ?? []
  if (file === undefined) throw new Problem('not-found', 'This version audits ledgers in SQLite alone.')
  const { ok, accounts, entries, problems } = await Promise.resolve(auditLedger({ file }))
  return { ok, accounts, entries, problems }
}
