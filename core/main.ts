import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { announcement, waitingAnnouncement } from './lifecycle/announce.js'
import { createApp, type App, type AppOptions } from './app.js'
import { systemClock } from './runtime/clock.js'
import type { Config } from './config/types.js'
import { ConfigError } from './problems/errors.js'
import { openListeners, type Handlers, type Listeners, type ListenersOptions } from './http/listeners.js'
import { fileFault } from './runtime/file-faults.js'
import type { Log } from './runtime/log-events.js'
import { startingListener } from './http/starting-response.js'
import { printWith } from './lifecycle/first-start.js'
import { packageRoot, packageVersion } from './runtime/root.js'
import { scrubEnvironment } from './lifecycle/scrub.js'
import { Signals, type SignalHandlers } from './lifecycle/signals.js'
import { stop } from './lifecycle/stopping.js'
import { StoreUnavailable } from './store/types.js'
import { reached, unavailable, untilReached } from './lifecycle/store-wait.js'
import { ledgerFile } from './store/open.js'
import { takeServeLock, type ServeLock } from './store/sqlite/serve-lock.js'
import { useTemporaryFolder } from './lifecycle/temporary-folder.js'
import { openLog } from './telemetry/log.js'
import type { ProcessFaults } from './telemetry/metrics.js'
import { UnownedErrors } from './telemetry/unowned-errors.js'

/** How long a stop waits for the start message to be written, in milliseconds. */
const PRINT_MS = 1_000

export interface ServeOptions extends Pick<AppOptions, 'audit' | 'mcp'> {
  /** One line of JSON on stdout instead of text. */
  readonly json: boolean
  /** Loads the configuration again, for reloads. */
  readonly reread?: () => Config
}

/**
 * Runs the gateway until a signal ends it: listens, prints its addresses, reloads on SIGHUP, drains on SIGTERM and
 * SIGINT. Returns the exit code: 1 when too many unhandled errors ended it.
 */
export async function serve(config: Config, options: ServeOptions): Promise<number> {
  const { settings } = config
  const { log, dropped } = openLog(settings.log)
  // Unlike other commands the gateway continues when its standard output is closed.
  process.stdout.removeAllListeners('error').on('error', () => undefined)
  const starting = whileStarting(log)
  const signals = new Signals(starting)
  let ending: (code: number) => void = () => undefined
  const ended = new Promise<number>((resolve) => void (ending = resolve))
  const unowned = new UnownedErrors(systemClock, log, () => ending(1))
  const faults = { logLinesDropped: dropped, unownedErrors: () => unowned.counts }
  makeDataFolder(config)
  const ledger = ledgerFile(settings.store, settings.data)
  const temporary = await useTemporaryFolder(log)
  let lock: ServeLock | null = null
  // Before plugins are loaded: an unhandled error of a plugin must not end the start.
  const unwatch = unowned.watch()
  try {
    if (ledger !== null) lock = takeServeLock(settings.data, { pid: process.pid, since: Date.now() }, ledger)
    const { app, listeners } = await openGateway(config, options, { log, faults })
    scrubEnvironment(app.services.registry())
    app.setPublicUrl(listeners.url)
    // Before the ready message, whose reader may send a signal at once.
    const graceMs = settings.limits.grace * 1000
    signals.setHandlers(whileRunning(app, { graceMs, end: ending }))
    if (starting.reloads) reload(app)
    // The text output contains the places; the JSON line has a fixed form.
    if (options.json) log('places', 'storage in use', { ...app.places })
    // After the ports are open: a start that fails there loses no key.
    const first = await untilReached(() => app.firstStart(), log)
    const { url: localUrl, adminUrl } = listeners
    const text = announcement({
      app,
      first,
      config,
      json: options.json,
      localUrl,
      adminUrl,
      clone: cloneFolder(),
      version: packageVersion(),
    })
    const printing = printWith(first, text, log)
    app.selfCheck().catch((error: unknown) => log('sandbox-unchecked', 'the sandbox could not be checked', { error: String(error) }))
    const code = await ended
    await Promise.race([printing, pause(PRINT_MS)])
    await stop(app, listeners, { graceMs, leaves: !process.stdin.isTTY })
    listeners.close()
    log('stopped', 'stopped')
    return code
  } finally {
    unwatch()
    await temporary.close()
    lock?.release()
    signals.close()
  }
}

function makeDataFolder(config: Config): void {
  const { data } = config.settings
  try {
    mkdirSync(data, { recursive: true, mode: 0o700 })
  } catch (error) {
    const message = `the folder ${data} cannot be created: ${fileFault(error)}; name another one or change its permissions`
    throw new ConfigError([{ where: config.variable('data'), message, level: 'error' }])
  }
}

/** Builds the gateway, then opens its ports; if its database is unavailable, opens the ports first and waits for it. */
async function openGateway(
  config: Config,
  { json, reread, audit, mcp }: ServeOptions,
  { log, faults }: { log: Log; faults: ProcessFaults },
): Promise<{ app: App; listeners: Listeners }> {
  const { settings } = config
  const create = (): Promise<App | StoreUnavailable> => createApp(config, { audit, mcp, log, faults }, reread).catch(unavailable)
  const first = await create()
  if (!(first instanceof StoreUnavailable)) {
    const publicUrl = (): string => first.services.publicUrl()
    return { app: first, listeners: await closingOnFailure(first, () => listen(config, first, { publicUrl, log })) }
  }
  let url = settings.server.public_url ?? ''
  const about = { publicUrl: () => url, log, addressLimit: settings.limits.address_per_minute }
  const operators = startingListener(about, 'checks')
  const waiting = { listener: startingListener(about, 'none'), adminListener: operators, ownerListener: operators }
  const listeners = await listen(config, waiting, { publicUrl: () => url, log })
  url = settings.server.public_url ?? listeners.url
  process.stdout.write(waitingAnnouncement({ url, adminUrl: listeners.adminUrl, json, reason: first.message }))
  try {
    const app = await reached(create, first, log)
    listeners.setHandlers(app)
    return { app, listeners }
  } catch (error) {
    listeners.close()
    throw error
  }
}

/** Opens the ports. Rejects with a ConfigError that names the source of the setting. */
async function listen(config: Config, first: Handlers, options: ListenersOptions): Promise<Listeners> {
  try {
    return await openListeners(config.settings, first, options)
  } catch (error) {
    throw error instanceof ConfigError ? error.at((name) => config.place(name)) : error
  }
}

/** Handlers before the gateway is ready: a stop signal ends the process at once, and a reload is deferred. */
function whileStarting(log: Log): SignalHandlers & { readonly reloads: boolean } {
  let reloads = false
  return {
    get reloads() {
      return reloads
    },
    stop: (signal) => {
      log('stopped', `${signal}: stopped before the gateway was ready`)
      process.exit(0)
    },
    reload: () => {
      reloads = true
      log('reload-requested', 'SIGHUP: plugins will be reloaded when the gateway is ready')
    },
  }
}

/** Handlers of a running gateway: the first stop signal begins the stop, a second one ends the process at once. */
function whileRunning(app: App, { graceMs, end }: { graceMs: number; end: (code: number) => void }): SignalHandlers {
  let stopping = false
  return {
    stop: (signal) => {
      if (stopping) process.exit(1)
      stopping = true
      app.services.log('stopping', `${signal}: the gateway stops; ${app.running()} running calls get ${graceMs} ms`)
      end(0)
    },
    reload: () => reload(app),
  }
}

function reload({ services }: App): void {
  // The reload logs its own failure.
  services.reload().catch(() => undefined)
}

async function closingOnFailure<T>(app: App, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await app.close()
    throw error
  }
}

/** The repository clone that this runs in; null in an image, which has the command installed. */
function cloneFolder(): string | null {
  const root = packageRoot()
  return existsSync(join(root, 'scripts', 'capstan.mjs')) ? root : null
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms))
}
