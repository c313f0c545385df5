import { mkdirSync } from 'node:fs'
import { announcement, waitingAnnouncement } from './announce.js'
import { createApp, type App } from './app.js'
import { systemClock } from './clock.js'
import { ConfigError, type Config } from './config/types.js'
import type { Log } from './log-events.js'
import { openListeners, type Listeners } from './http/listeners.js'
import { startingListener } from './http/starting-response.js'
import { AdminToken } from './keys/admin-token.js'
import { packageVersion } from './root.js'
import { scrubEnvironment } from './scrub.js'
import { Signals, type Heeded } from './signals.js'
import { stop } from './stopping.js'
import { StoreUnavailable } from './store/types.js'
import { ledgerFile } from './store/open.js'
import { takeServeLock, type ServeLock } from './store/sqlite/serve-lock.js'
import { useTemporaryFolder } from './temporary-folder.js'
import { openLog } from './telemetry/log.js'
import type { ProcessFaults } from './telemetry/metrics.js'
import { UnownedErrors } from './unowned-errors.js'

/** Waits between tries to reach the store at the start, in milliseconds: short, so that a store that returns is soon used. */
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 500

export interface ServeOptions {
  /** One line of JSON on stdout instead of text. */
  readonly json: boolean
  /** Reads the configuration again, for reloads. */
  readonly reread?: () => Config
}

/**
 * Runs the gateway until a signal ends it: listens, says where, reloads on SIGHUP, drains on SIGTERM and SIGINT. Answers the exit code: 1
 * when too many errors that nobody owned ended it.
 */
export async function serve(config: Config, options: ServeOptions): Promise<number> {
  const { settings } = config
  const { log, dropped } = openLog(settings.log)
  // Unlike other commands the gateway goes on when whoever reads its first lines goes away.
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
  try {
    if (ledger !== null) lock = takeServeLock(settings.data, { pid: process.pid, since: Date.now() }, ledger)
    const { app, listeners } = await openGateway(config, options, { log, faults })
    scrubEnvironment(app.services.registry())
    app.setPublicUrl(listeners.url)
    // Before the line that says it is ready: whoever reads that may send a signal at once.
    const unwatch = unowned.watch()
    const graceMs = settings.limits.grace * 1000
    signals.mean(whileRunning(app, { graceMs, end: ending }))
    if (starting.reloads) reload(app)
    // The text says it too; the line of JSON has a form that scripts rely on.
    if (options.json) log('places', 'storage in use', { ...app.places })
    process.stdout.write(announcement({ app, config, json: options.json, adminUrl: listeners.adminUrl, version: packageVersion() }))
    app.selfCheck().catch((error: unknown) => log('sandbox-unchecked', 'the sandbox could not be checked', { error: String(error) }))
    const code = await ended
    await stop(app, listeners, { graceMs, leaves: !process.stdin.isTTY })
    listeners.close()
    unwatch()
    log('stopped', 'stopped')
    return code
  } finally {
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
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    const message = `the folder ${data} cannot be made (${why}): name another one or change its rights`
    throw new ConfigError([{ where: config.variable('data'), message, level: 'error' }])
  }
}

/** Builds the gateway and opens its ports: first the gateway, unless its database is out of reach, which is waited for behind open ports. */
async function openGateway(
  config: Config,
  { json, reread }: ServeOptions,
  { log, faults }: { log: Log; faults: ProcessFaults },
): Promise<{ app: App; listeners: Listeners }> {
  const { settings } = config
  const freshAdminToken = AdminToken.fresh()
  const create = async (): Promise<App | StoreUnavailable> => {
    try {
      return await createApp(config, { log, faults, freshAdminToken }, reread)
    } catch (error) {
      if (error instanceof StoreUnavailable) return error
      throw error
    }
  }
  const first = await create()
  if (!(first instanceof StoreUnavailable)) {
    const publicUrl = (): string => first.services.publicUrl()
    return { app: first, listeners: await closingOnFailure(first, () => openListeners(settings, first, { publicUrl, log })) }
  }
  let url = settings.server.public_url ?? ''
  const about = { publicUrl: () => url, log, addressLimit: settings.limits.address_per_minute }
  const waiting = { listener: startingListener(about, 'none'), adminListener: startingListener(about, 'checks') }
  const listeners = await openListeners(settings, waiting, { publicUrl: () => url, log })
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

/** Nothing runs before the gateway is ready: a signal to stop ends the process at once, and one to reload is remembered. */
function whileStarting(log: Log): Heeded & { readonly reloads: boolean } {
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
      log('reload-asked', 'SIGHUP: plugins will be reloaded when the gateway is ready')
    },
  }
}

/** The first signal to stop begins it, a second one ends the process at once. */
function whileRunning(app: App, { graceMs, end }: { graceMs: number; end: (code: number) => void }): Heeded {
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
  // Its failure is in the log by then.
  services.reload().catch(() => undefined)
}

/** Tries again and again until the store answers, ever more rarely. Throws what else goes wrong. */
async function reached(create: () => Promise<App | StoreUnavailable>, first: StoreUnavailable, log: Log): Promise<App> {
  let result: App | StoreUnavailable = first
  log('store-away', 'the database does not answer; the gateway waits for it', { error: first.message })
  for (let wait = FIRST_WAIT_MS; result instanceof StoreUnavailable; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    log('store-tried', 'the database does not answer; trying again', { ms: wait, error: result.message })
    await new Promise<void>((resolve) => void setTimeout(resolve, wait))
    result = await create()
    if (result instanceof StoreUnavailable) log('store-away', 'the database does not answer', { error: result.message })
  }
  log('store-back', 'the database answers')
  return result
}

async function closingOnFailure<T>(app: App, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await app.close()
    throw error
  }
}
