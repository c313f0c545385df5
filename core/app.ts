import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Config } from './config/types.js'
import { DEFINITIONS, type GatewayServices, type GivenServices } from './container.js'
import type { Places } from './diagnosis/readiness.js'
import { adminApp } from './http/admin-app.js'
import { pipeline } from './http/pipeline.js'
import { admitByRoute } from './http/router.js'
import { adminRoutes, allRoutes } from './http/routes/all.js'
import { finishCalls } from './lifecycle/closing.js'
import { firstStart, type FirstStart } from './lifecycle/first-start.js'
import { ServiceContainer } from './lifecycle/service-container.js'
import type { Stoppable } from './lifecycle/stopping.js'

/** A built gateway that does not listen yet. */
export interface App extends Stoppable {
  readonly services: GatewayServices
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

/** Services that replace those of the gateway, for tests or an embedding process. */
export type Overrides = Partial<Omit<GatewayServices, GivenServices>>

/** Options of a gateway in addition to its configuration. */
export type AppOptions = Overrides & Pick<GatewayServices, 'audit' | 'mcp'>

/** Builds a gateway from a configuration. `reread`: loads the configuration again for a reload. */
export async function createApp(config: Config, options: AppOptions, reread: () => Config = () => config): Promise<App> {
  const container = new ServiceContainer<GatewayServices, GivenServices>(DEFINITIONS, { ...options, config, reread })
  const { services } = container
  let drainedAt: number | null = null
  const close = async (): Promise<void> => {
    container.stop()
    const { running, clock, settings, log } = services
    await finishCalls(running, clock, drainedAt === null ? 0 : drainedAt + settings.limits.grace * 1000 - clock.monotonic())
    await container.close(log)
  }
  try {
    await container.start()
    return appOf(services, { drain: () => void (drainedAt ??= services.clock.monotonic()), close })
  } catch (error) {
    // The start may be retried: close everything of this one.
    await close()
    throw error
  }
}

function appOf(services: GatewayServices, { drain, close }: { readonly drain: () => void; readonly close: () => Promise<void> }): App {
  const { settings, store, clock, log, shedder, sandbox, vendorProbes, address, places, running } = services
  const admin = adminRoutes(services)
  const isPrivate = settings.server.admin_api === 'private'
  const routes = allRoutes(services, isPrivate ? [] : admin)
  return {
    services,
    listener: listenerOf(pipeline(services, routes)),
    adminListener: listenerOf(adminApp(services, isPrivate ? { routes: admin, admit: admitByRoute } : null)),
    // Access to the socket implies access to the store.
    ownerListener: listenerOf(adminApp(services, { routes: admin, admit: () => Promise.resolve() })),
    firstStart: () => firstStart(store, clock, services),
    places,
    setPublicUrl: (url) => {
      if (settings.server.public_url === null) address.url = url
    },
    selfCheck: async () => {
      const { live, detail } = await sandbox.status()
      await vendorProbes.run()
      log(live ? 'sandbox-ready' : 'sandbox-missing', live ? `sandbox: ${detail}` : `no sandbox: ${detail}; what needs it is refused`)
    },
    leave: () => {
      shedder.leaving = true
    },
    drain: () => {
      shedder.leaving = true
      shedder.draining = true
      drain()
    },
    running: () => running.size,
    cut: () => {
      running.cut()
      services.uploads.cut()
      services.bytes.cutArriving()
    },
    close,
  }
}

/** A listener of an application, which handles every rejection itself. */
function listenerOf(app: { callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void> }): RequestListener {
  const handle = app.callback()
  return (request, response) => void handle(request, response)
}
