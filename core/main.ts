import { mkdirSync } from 'node:fs'
import type { Server } from 'node:http'
import { announcement, waitingAnnouncement } from './announce.js'
import { createApp, type App } from './app.js'
import { ConfigError, type Config } from './config/port.js'
import type { Log } from './dispatch/environment.js'
import { openDoors, type Doors } from './http/doors.js'
import { waitingListener } from './http/waiting.js'
import { AdminToken } from './keys/admin-token.js'
import { packageVersion } from './root.js'
import { scrubEnvironment } from './scrub.js'
import { StoreUnavailable } from './store/port.js'
import { ledgerFile } from './store/open.js'
import { takeServeLock } from './store/sqlite/serve-lock.js'
import { openLog } from './telemetry/log.js'

/** Waits between tries to reach the store at the start, in milliseconds: short, so that a store that returns is soon used. */
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 500

export interface ServeOptions {
  /** One line of JSON on stdout instead of text. */
  readonly json: boolean
  /** Reads the configuration again, for reloads. */
  readonly reread?: () => Config
}

/** Runs the gateway until a signal ends it: listens, says where, reloads on SIGHUP, drains on SIGTERM and SIGINT. */
export async function serve(config: Config, options: ServeOptions): Promise<void> {
  const { settings } = config
  const { log } = openLog(settings.log.level)
  makeDataFolder(config)
  const ledger = ledgerFile(settings.store, settings.data)
  const lock = ledger === null ? null : takeServeLock(settings.data, { pid: process.pid, since: Date.now() }, ledger)
  try {
    const { app, doors } = await openGateway(config, options, log)
    scrubEnvironment(app.services.registry())
    app.setPublicUrl(doors.url)
    // Before the line that says it is ready: whoever reads that may send a signal at once.
    const stopped = untilStopped(app, settings.limits.grace * 1000)
    // The text says it too; the line of JSON has a form that scripts rely on.
    if (options.json) log('info', 'where things are kept', { ...app.places })
    process.stdout.write(announcement({ app, config, json: options.json, adminUrl: doors.adminUrl, version: packageVersion() }))
    app.selfCheck().catch((error: unknown) => log('warn', 'the sandbox could not be checked', { error: String(error) }))
    await stopped
    await stop(app, doors.main, settings.limits.grace * 1000)
    doors.close()
  } finally {
    lock?.release()
  }
  log('info', 'stopped')
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

/** Builds the gateway and opens its doors: first the gateway, unless its database is out of reach, which is waited for behind open doors. */
async function openGateway(config: Config, { json, reread }: ServeOptions, log: Log): Promise<{ app: App; doors: Doors }> {
  const { settings } = config
  const freshAdminToken = AdminToken.fresh()
  const create = async (): Promise<App | StoreUnavailable> => {
    try {
      return await createApp(config, { log, freshAdminToken }, reread)
    } catch (error) {
      if (error instanceof StoreUnavailable) return error
      throw error
    }
  }
  const first = await create()
  if (!(first instanceof StoreUnavailable)) {
    const publicUrl = (): string => first.services.publicUrl()
    return { app: first, doors: await closingOnFailure(first, () => openDoors(settings, first, publicUrl)) }
  }
  let url = settings.server.public_url ?? ''
  const about = { publicUrl: () => url, addressLimit: settings.limits.address_per_minute }
  const waiting = { listener: waitingListener(about, 'none'), adminListener: waitingListener(about, 'checks') }
  const doors = await openDoors(settings, waiting, () => url)
  url = settings.server.public_url ?? doors.url
  const unheed = heedSignals(log)
  process.stdout.write(waitingAnnouncement({ url, adminUrl: doors.adminUrl, json, reason: first.message }))
  try {
    const app = await reached(create, first, log)
    doors.answerWith(app)
    return { app, doors }
  } catch (error) {
    doors.close()
    throw error
  } finally {
    unheed()
  }
}

/** While the store is waited for nothing runs: a signal to stop ends the process at once, and one to reload does nothing. The returned function ends that. */
function heedSignals(log: Log): () => void {
  const end = (signal: NodeJS.Signals): void => {
    log('info', `${signal}: stopped while waiting for the store`)
    process.exit(0)
  }
  const reload = (): void => log('info', 'SIGHUP: plugins are read when the store answers')
  process.on('SIGTERM', end).on('SIGINT', end).on('SIGHUP', reload)
  return () => void process.off('SIGTERM', end).off('SIGINT', end).off('SIGHUP', reload)
}

/** Tries again and again until the store answers, ever more rarely. Throws what else goes wrong. */
async function reached(create: () => Promise<App | StoreUnavailable>, first: StoreUnavailable, log: Log): Promise<App> {
  let result: App | StoreUnavailable = first
  for (let wait = FIRST_WAIT_MS; result instanceof StoreUnavailable; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    log('warn', 'the store does not answer; trying again', { ms: wait, error: result.message })
    await new Promise<void>((resolve) => void setTimeout(resolve, wait))
    result = await create()
  }
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

/** Resolves when the gateway is to stop; a second signal ends the process at once. */
function untilStopped(app: App, graceMs: number): Promise<void> {
  const { log } = app.services
  return new Promise((resolve) => {
    let stopping = false
    const onSignal = (signal: NodeJS.Signals): void => {
      if (stopping) process.exit(1)
      stopping = true
      log('info', `${signal}: no new calls; ${app.running()} running get ${graceMs} ms`)
      app.drain()
      resolve()
    }
    process.on('SIGTERM', onSignal)
    process.on('SIGINT', onSignal)
    process.on('SIGHUP', () => {
      app.services.reload().catch((error: unknown) => log('error', String(error)))
    })
    let failures = 0
    const onFailure = (error: unknown): void => {
      log('error', 'an error that no call owned', { error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
      app.services.clock.after(60_000, () => failures--)
      if (++failures > 10 && !stopping) onSignal('SIGTERM')
    }
    process.on('unhandledRejection', onFailure)
    process.on('uncaughtException', onFailure)
  })
}

/** Closes the door, waits for running calls, and cuts those that do not end in time. */
async function stop(app: App, server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const cut = setTimeout(() => {
    app.cut()
    setTimeout(() => server.closeAllConnections(), 1_000).unref()
  }, graceMs)
  const idle = setInterval(() => server.closeIdleConnections(), 100)
  await closed
  clearTimeout(cut)
  clearInterval(idle)
  await app.close()
}
