import { Type } from '../../sdk/index.js'
import { envelopeOf } from '../discovery/openapi-parts.js'
import { agentInput } from '../sent-body.js'
import { AGENT_PATH } from '../direction.js'
import { none, type Route } from '../route.js'
import type { HttpServices } from '../services.js'
import { accountRoutes } from './account.js'
import { adminAccountRoutes } from './admin-accounts.js'
import { adminGatewayRoutes } from './admin-gateway.js'
import { discoveryRoutes } from './discovery.js'
import { fileRoutes } from './files.js'
import { keyRoutes } from './keys.js'
import { pageRoutes } from './pages.js'
import { playgroundRoutes } from './playground.js'
import { Documents } from '../discovery/documents.js'
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
export function adminRoutes(services: HttpServices): Route[] {
  return [...adminAccountRoutes(services), ...adminGatewayRoutes(services)]
}

/** Every route of the main listener that is not a capability; `admin`: the operator's routes, if it serves them. */
export function allRoutes(services: HttpServices, admin: readonly Route[]): Route[] {
  const documents = new Documents(services)
  const routes: Route[] = [
    ...keyRoutes(services),
    ...accountRoutes(services),
    ...discoveryRoutes(services, documents, () => [AGENT, ...routes.map(({ doc }) => doc)]),
    ...playgroundRoutes(services, documents),
    ...fileRoutes(services),
    ...pageRoutes(services),
    ...admin,
  ]
  return routes
}
