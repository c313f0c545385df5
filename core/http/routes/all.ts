import { Type } from '../../sdk/index.js'
import { envelopeOf } from '../discovery/openapi-parts.js'
import { agentInput } from '../sent-body.js'
import { AGENT_PATH } from '../direction.js'
import type { History } from '../../accounts/history.js'
import { none, type Route } from '../route.js'
import type { HttpServices } from '../services.js'
import { accountRoutes } from './account.js'
import { adminAccountRoutes } from './admin-accounts.js'
import { adminGatewayRoutes, type AdminDeps } from './admin-gateway.js'
import { discoveryRoutes } from './discovery.js'
import { fileRoutes } from './files.js'
import { keyRoutes } from './keys.js'
import { pageRoutes } from './pages.js'
import { CALL_PROBLEMS } from '../discovery/openapi.js'
import type { Endpoint } from '../discovery/described.js'

/** The description of the endpoint for every capability, which is served outside the router. */
const AGENT: Endpoint = {
  method: 'POST',
  path: AGENT_PATH,
  id: 'runCapability',
  summary: 'Any capability by name',
  description: 'The envelope, price and errors are those of the capability.',
  access: 'key',
  params: none,
  query: none,
  body: agentInput,
  response: Type.Unsafe<unknown>(envelopeOf(Type.Unknown())),
  problems: CALL_PROBLEMS,
}

/** The operator's routes. */
export function adminRoutes(services: HttpServices, parts: AdminDeps): Route[] {
  const { compiler } = services
  return [...adminAccountRoutes(compiler, services, parts.accounts), ...adminGatewayRoutes(compiler, services, parts)]
}

/** Every route of the main listener that is not a capability; `admin`: the operator's routes, if it serves them. */
export function allRoutes(services: HttpServices, history: History, admin: readonly Route[]): Route[] {
  const { compiler } = services
  const routes: Route[] = [
    ...keyRoutes(compiler, services.keys),
    ...accountRoutes(compiler, services, history),
    ...discoveryRoutes(compiler, services, () => [AGENT, ...routes.map(({ doc }) => doc)]),
    ...fileRoutes(compiler, services),
    ...pageRoutes(compiler, services),
    ...admin,
  ]
  return routes
}
