import Koa from 'koa'
import { logPlainRequest } from './access-log.js'
import type { HttpServices } from './services.js'

const PATHS: readonly string[] = ['/healthz', '/readyz', '/metrics']

/** The admin listener: probes with detail, and metrics. It answers while the gateway drains. */
export function adminApp(services: HttpServices): Koa {
  const app = new Koa()
  app.silent = true
  app.use(async (ctx, next) => {
    const started = services.clock.monotonic()
    await next()
    const ms = Math.round((services.clock.monotonic() - started) * 10) / 10
    logPlainRequest(services.log, { method: ctx.method, route: PATHS.includes(ctx.path) ? ctx.path : 'unknown', status: ctx.status, ms })
  })
  app.use(async (ctx) => {
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
        ctx.body = { paths: PATHS }
    }
  })
  app.on('error', (error: unknown) =>
    services.log('admin-request-failed', 'the admin listener failed on a request', { error: String(error) }),
  )
  return app
}
