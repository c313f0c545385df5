import Koa from 'koa'
import { cors } from './cors.js'
import type { State } from './exchange.js'
import { handleErrors } from './errors.js'
import type { Route } from './route.js'
import { lists } from './lists.js'
import { admitByRoute, capabilities, capabilityPaths, routing } from './router.js'
import type { HttpServices } from './services.js'
import { target } from './target.js'

/** The order in which a request is handled. Read this first; each step is one file. */
export function pipeline(services: HttpServices, routes: readonly Route[]): Koa<State> {
  const app = new Koa<State>()
  app.silent = true
  app.use(handleErrors(services))
  app.use(target)
  app.use(cors(services.settings.server.cors_origins))
  app.use(capabilities(services))
  app.use(lists(services))
  const { matched, unmatched } = routing(services, routes, admitByRoute, () => capabilityPaths(services))
  app.use(matched)
  app.use(unmatched)
  app.on('error', (error: unknown) => services.log('answer-not-written', 'an answer could not be written', { error: String(error) }))
  return app
}
