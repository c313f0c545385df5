import Koa from 'koa'
import { logPlainRequest, type State } from './exchange.js'
import { bound, handleErrors } from './errors.js'
import type { Route } from './route.js'
import { routing, type Admission } from './router.js'
import type { HttpServices } from './services.js'
import { target } from './target.js'

/** The admin API of an operator listener, and its authentication. */
interface AdminApi {
  readonly routes: readonly Route[]
  readonly admit: Admission
}

const PROBES: readonly string[] = ['/healthz', '/readyz', '/metrics']

/** An operator listener: probes with detail, metrics, and the admin API if given. It answers while the gateway drains. */
export function adminApp(services: HttpServices, api: AdminApi | null): Koa<State> {
  const app = new Koa<State>()
  app.silent = true
  app.use(async (ctx, next) => {
    bound(services, ctx)
    const started = services.clock.monotonic()
    await next()
    const ms = Math.round((services.clock.monotonic() - started) * 10) / 10
    const route = PROBES.includes(ctx.path) ? ctx.path : 'unknown'
    if (api === null || route !== 'unknown') logPlainRequest(services.log, { method: ctx.method, route, status: ctx.status, ms })
  })
  app.use(async (ctx, next) => {
    if (api !== null && !PROBES.includes(ctx.path)) return void (await next())
    ctx.set('X-Content-Type-Options', 'nosniff')
    ctx.set('Cache-Control', 'no-store')
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return void (ctx.status = 405)
    switch (ctx.path) {
      case '/healthz':
        ctx.body = { status: 'ok' }
        return
      case '/readyz': {
        const { ready, checks } = await services.readiness()
        ctx.status = ready ? 200 : 503
        ctx.body = { status: ready ? 'ready' : 'not ready', checks }
        return
      }
      case '/metrics': {
        const { contentType, text } = await services.telemetry.metrics()
        ctx.set('Content-Type', contentType)
        ctx.body = text
        return
      }
      default:
        ctx.status = 404
        ctx.body = { paths: PROBES }
    }
  })
  if (api !== null) {
    app.use(handleErrors(services))
    app.use(target)
    const { matched, unmatched } = routing(services, api.routes, api.admit)
    app.use(matched)
    app.use(unmatched)
  }
  app.on('error', (error: unknown) =>
    services.log('admin-request-failed', 'the admin listener failed on a request', { error: String(error) }),
  )
  return app
}
