import { setImmediate as turn } from 'node:timers/promises'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { closeInOrder, finishCalls, type ClosingStep } from './lifecycle/closing.js'
import type { Config } from './config/types.js'
import { buildContainer, PARTS } from './container.js'
import type { PluginFolders } from './diagnosis/changed-plugins.js'
import { diagnoseGateway } from './diagnosis/gateway.js'
import { settingsInForce } from './dispatch/resources.js'
import { firstStart, type FirstStart } from './lifecycle/first-start.js'
import { adminApp } from './http/admin-app.js'
import { pipeline } from './http/pipeline.js'
import { type Places, readiness } from './diagnosis/readiness.js'
import type { AuditLedger } from './http/routes/admin-gateway.js'
import { adminRoutes, allRoutes } from './http/routes/all.js'
import { admitByRoute } from './http/router.js'
import type { HttpServices } from './http/services.js'
import { openParts } from './lifecycle/open-parts.js'
import type { Overrides } from './lifecycle/opened.js'
import { Problem } from './problems/problem.js'
import { packageRoot } from './runtime/root.js'
import { oneAtATime, Reloads } from './lifecycle/reloads.js'
import type { Stoppable } from './lifecycle/stopping.js'

/** A built gateway that does not listen yet. */
export interface App extends Stoppable {
  readonly services: HttpServices
  readonly listener: RequestListener
  readonly adminListener: RequestListener
  readonly ownerListener: RequestListener
  /** Creates the first account, key and admin token on an empty store, to be printed once. Throws StoreUnavailable. */
  firstStart(): Promise<FirstStart>
  /** Storage of ledger, limits and files, as found at the start. */
  readonly places: Places
  /** Sets the public address once the gateway listens. */
  setPublicUrl(url: string): void
  /** Checks the sandbox, so that the first call does not wait for it. */
  selfCheck(): Promise<void>
  /** Number of running paid calls. */
  readonly running: () => number
}

/** Options of a gateway in addition to its configuration. */
export interface AppOptions extends Overrides {
  /** Audits the ledger that a store setting names. It shares no code with the ledger, and so is no part of the core. */
  readonly audit: AuditLedger
}

/** Builds a gateway from a configuration. `reread`: loads the configuration again for a reload. */
export async function createApp(config: Config, options: AppOptions, reread: () => Config = () => config): Promise<App> {
  const { settings } = config
  const { opened, places, load, needRestart, token, setPublicUrl } = await openParts(config, options, reread)
  const { clock, log, instance, store, outbound, redis, sandbox, holder, publicUrl } = opened
  const container = buildContainer(opened)
  const shedder = container.resolve(PARTS.shedder)
  const watch = container.resolve(PARTS.watch)
  const probes = container.resolve(PARTS.vendorProbes)
  const disks = container.resolve(PARTS.disks)
  let loadedAt = performance.timeOrigin
  const reload = oneAtATime(async () => {
    try {
      const began = clock.now()
      const loaded = await load()
      loadedAt = began
      const resources = container.resolve(PARTS.resources)
      const closeRetired = resources.renew(settingsInForce(loaded))
      const left = holder.swap(loaded, async (code) => [...(await resources.leave(code)), ...(await closeRetired())])
      // Running calls may keep their plugins for minutes: the reload does not wait for them.
      void left.then((failures) => {
        for (const { message } of failures)
          log('resource-not-closed', 'a resource of a replaced plugin could not be closed', { error: message })
      })
      log('reloaded', 'plugins and configuration reloaded', { version: holder.current.version })
    } catch (error) {
      log('reload-failed', 'the reload failed; the old state stays', { error: String(error) })
      throw new Problem(
        'conflict',
        `The reload failed and the old state stays: ${error instanceof Error ? error.message : String(error)}`,
        { cause: error },
      )
    }
  })
  const reloads = new Reloads(store.settings, watch, { clock, reload, log })
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
    unpaid: container.resolve(PARTS.unpaid),
    shedder,
    bytes: container.resolve(PARTS.bytes),
    refusals: container.resolve(PARTS.refusals),
    artifacts: container.resolve(PARTS.artifacts),
    uploads: container.resolve(PARTS.uploads),
    telemetry: container.resolve(PARTS.telemetry),
    compiler: container.resolve(PARTS.compiler),
    largeBodies: container.resolve(PARTS.largeBodies),
    keyUses: container.resolve(PARTS.keyUses),
    keys: container.resolve(PARTS.keys),
    suspensions: container.resolve(PARTS.suspensions),
    publicUrl,
    readiness: () => readiness({ store, redis, registry: holder.current, disks: disks.check(), draining: shedder.leaving }),
    disks,
    needRestart,
    reload,
    reloadAll: () => reloads.request(),
  }
  const pluginFolders = (): PluginFolders => ({
    bundled: join(packageRoot(), 'plugins'),
    startedAt: performance.timeOrigin,
    own: settings.plugin_folders,
    loadedAt,
  })
  const accounts = container.resolve(PARTS.accounts)
  const admin = adminRoutes(services, {
    accounts,
    history: container.resolve(PARTS.history),
    auditLedger: () => options.audit(settings.store),
    control: container.resolve(PARTS.providerControl),
    diagnosis: () => diagnoseGateway({ ...services, places, sandbox, probes, pluginFolders, now: () => clock.now() }),
  })
  const isPrivate = settings.server.admin_api === 'private'
  const routes = allRoutes(services, container.resolve(PARTS.history), isPrivate ? [] : admin)
  const lease = container.resolve(PARTS.lease)
  const sweeper = container.resolve(PARTS.sweeper)
  const retention = container.resolve(PARTS.retention)
  const publishing = container.resolve(PARTS.publishing)
  const logWatch = container.resolve(PARTS.logWatch)
  const sharedSuspensions = container.resolve(PARTS.sharedSuspensions)
  const replicas = redis === null ? null : container.resolve(PARTS.replicas)
  let drainedAt: number | null = null
  const close = async (): Promise<void> => {
    shedder.close()
    watch.close()
    logWatch.close()
    disks.close()
    services.concurrency.close()
    replicas?.close()
    sharedSuspensions?.close()
    services.artifacts.close()
    const { running, refunds, deliveries } = services.calls
    const reversals = container.resolve(PARTS.reversals)
    const unsettled = (): number => running.size + refunds.unsettled + deliveries.size + reversals.size
    await finishCalls(running, clock, drainedAt === null ? 0 : drainedAt + settings.limits.grace * 1000 - clock.monotonic())
    const environment = container.resolve(PARTS.environment)
    const steps: readonly ClosingStep[] = [
      ['calls', () => Promise.all([running.idle(), environment.probes.close()]).then(() => environment.cleanUps.close())],
      ['uploads', () => services.uploads.close()],
      // The answer of a call that has just ended is written in the next turn.
      ['answers and refunds', () => turn().then(() => refunds.settled())],
      ['deliveries', () => Promise.all([deliveries.close(), services.refusals.close(), services.keyUses.flush()])],
      ['reversals', () => reversals.close()],
      ['publishing', () => publishing.close()],
      ['retention', () => retention.close()],
      ['sweeper', () => Promise.resolve(sweeper.close())],
      ['lease', () => lease.end({ unsettled: unsettled() })],
      ['probes', () => Promise.resolve(probes.close())],
      ['resources', () => container.resolve(PARTS.resources).close()],
      [
        'workers, sandbox and plugins',
        () =>
          Promise.all([
            services.largeBodies.close(),
            services.calls.encoder.close(),
            container.resolve(PARTS.workers).close(),
            sandbox.close(),
            holder.current.dispose(),
          ]),
      ],
      ['outbound', () => outbound.close()],
      ['store', () => store.close()],
      // Last, so that a hanging collector blocks nothing else.
      ['telemetry', () => services.telemetry.close()],
    ]
    await closeInOrder(steps, log)
    redis?.close()
  }
  const begin = async (): Promise<void> => {
    watch.on(() => token.read())
    await lease.start()
    await sweeper.start()
    publishing.start()
    logWatch.start()
    disks.start()
    await watch.check()
    await replicas?.recount()
    await sharedSuspensions?.sync()
    services.artifacts.startPurge(log)
    retention.start()
  }
  await begin().catch(async (error: unknown) => {
    // The start may be retried: close everything of this one.
    await close()
    throw error
  })
  return {
    services,
    listener: listenerOf(pipeline(services, routes)),
    adminListener: listenerOf(adminApp(services, isPrivate ? { routes: admin, admit: admitByRoute } : null)),
    // Access to the socket implies access to the store.
    ownerListener: listenerOf(adminApp(services, { routes: admin, admit: () => Promise.resolve() })),
    firstStart: () => firstStart(store, clock, { accounts, keys: services.keys, token, instance }),
    places,
    setPublicUrl,
    selfCheck: async () => {
      const { live, detail } = await sandbox.status()
      await probes.run()
      log(live ? 'sandbox-ready' : 'sandbox-missing', live ? `sandbox: ${detail}` : `no sandbox: ${detail}; what needs it is refused`)
    },
    leave: () => {
      shedder.leaving = true
    },
    drain: () => {
      shedder.leaving = true
      shedder.draining = true
      drainedAt ??= clock.monotonic()
    },
    cut: () => {
      services.calls.running.cut()
      services.uploads.cut()
      services.bytes.cutArriving()
    },
    running: () => services.calls.running.size,
    close,
  }
}

/** A listener of an application, which handles every rejection itself. */
function listenerOf(app: { callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void> }): RequestListener {
  const handle = app.callback()
  return (request, response) => void handle(request, response)
}
