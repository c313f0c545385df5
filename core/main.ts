import { mkdirSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApp, type App } from './app.js'
import { ConfigError, type Config } from './config/port.js'
import { httpServer } from './http/server.js'
import { announce } from './announce.js'
import { scrubEnvironment } from './scrub.js'
import { packageVersion } from './root.js'
import { takeServeLock } from './store/sqlite/serve-lock.js'
import { openLog } from './telemetry/log.js'

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
  mkdirSync(settings.data, { recursive: true, mode: 0o700 })
  const lock = settings.store.startsWith('sqlite:') ? takeServeLock(settings.data, { pid: process.pid, since: Date.now() }) : null
  try {
    const app = await createApp(config, { log }, options.reread)
    scrubEnvironment(app.services.registry())
    const { main, admin } = await closingOnFailure(app, () => open(app, settings))
    announce({
      app,
      config,
      json: options.json,
      adminUrl: `http://${printable(settings.server.admin_host)}:${admin.port}`,
      version: packageVersion(),
    })
    app.selfCheck().catch((error: unknown) => log('warn', 'the sandbox could not be checked', { error: String(error) }))
    await untilStopped(app, settings.limits.grace * 1000)
    await stop(app, main.server, settings.limits.grace * 1000)
    admin.server.close()
  } finally {
    lock?.release()
  }
  log('info', 'stopped')
}

/** Opens both listeners. */
async function open(app: App, settings: Config['settings']): Promise<{ main: Listening; admin: Listening }> {
  const about = { publicUrl: () => app.services.publicUrl(), addressLimit: settings.limits.address_per_minute }
  const main = await listen(httpServer(app.listener, about), settings.server.port, settings.server.host)
  app.setPublicUrl(`http://${printable(settings.server.host)}:${main.port}`)
  try {
    return { main, admin: await listenAdmin(httpServer(app.adminListener, about), settings, main.port) }
  } catch (error) {
    main.server.close()
    throw error
  }
}

async function closingOnFailure<T>(app: App, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await app.close()
    throw listenError(error)
  }
}

/** A taken or forbidden port said with the setting that changes it. */
function listenError(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  const reasons = new Map<unknown, string>([
    ['EADDRINUSE', 'is taken by another program'],
    ['EACCES', 'may not be used by this user'],
    ['EADDRNOTAVAIL', 'is no address of this machine'],
  ])
  const reason = reasons.get(error.code)
  if (reason === undefined) return error
  const place = 'address' in error && 'port' in error ? `${String(error.address)}:${String(error.port)}` : 'the address'
  return new ConfigError([
    {
      where: 'server.host / server.port',
      message: `${place} ${reason}: set CAPSTAN_HOST or CAPSTAN_PORT (0 picks a free port), or stop the other program`,
      level: 'error',
    },
  ])
}

interface Listening {
  readonly server: Server
  readonly port: number
}

function listen(server: Server, port: number, host: string): Promise<Listening> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve({ server, port: portOf(server.address()) })
    })
  })
}

function portOf(address: string | AddressInfo | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** The admin listener: its configured port, or the next one after the main port, giving way to a free one. */
async function listenAdmin(server: Server, settings: Config['settings'], mainPort: number): Promise<Listening> {
  const { admin_port, admin_host, port } = settings.server
  if (admin_port !== null) return await listen(server, admin_port, admin_host)
  try {
    return await listen(server, port === 0 ? 0 : mainPort + 1, admin_host)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return await listen(server, 0, admin_host)
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

function printable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
