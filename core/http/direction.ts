import type { LoadedCapability, Registry } from '../loader/types.js'
import { Problem } from '../problems/problem.js'
import type { Validator } from '../sdk/index.js'
import { hint } from '../sdk/nearest.js'
import type { HttpContext } from './exchange.js'
import type { agentInput, CheckPoint, SentBody } from './sent-body.js'
import type { HttpServices } from './services.js'

export const AGENT_PATH = '/v1/agent'

const LIGHT_BODY = 1024 * 1024

/** How a request names its capability: by its path, or by name in the body of the common endpoint. */
export interface Direction {
  /** The template of the path, for metrics. */
  readonly route: string
  readonly bodyLimit: number
  readonly heavy: boolean
  /** Null when the body names the capability. */
  readonly loaded: LoadedCapability | null
  /** The location of the input in the body. */
  readonly at: CheckPoint
  readonly via: string | null
  /** Checks the body of the common endpoint; null for a capability's own path. */
  readonly agent: Validator<typeof agentInput> | null
}

/** The direction of a capability's own path. */
export function byPath(services: HttpServices, loaded: LoadedCapability): Direction {
  const { capability } = loaded
  return {
    route: capability.path,
    bodyLimit: capability.bodyLimit ?? services.settings.limits.body,
    heavy: (capability.work ?? 'light') !== 'light',
    loaded,
    at: 'body',
    via: null,
    agent: null,
  }
}

/** The direction of `/v1/agent`, which takes the largest body of all capabilities. */
export function byName(services: HttpServices, agent: Validator<typeof agentInput>): Direction {
  const limits = [...services.registry().capabilities.values()].map(({ capability }) => capability.bodyLimit ?? 0)
  return {
    route: AGENT_PATH,
    bodyLimit: Math.max(LIGHT_BODY, services.settings.limits.body, ...limits),
    heavy: false,
    loaded: null,
    at: 'params',
    via: AGENT_PATH,
    agent,
  }
}

/** The capability that the body of `/v1/agent` names. Throws `validation-failed` for its name, `payload-too-large` for its size. */
export function namedIn(services: HttpServices, body: SentBody): LoadedCapability {
  const loaded = named(services.registry(), body.capability())
  const { bodyLimit = services.settings.limits.body, id } = loaded.capability
  if (body.bytes > bodyLimit) throw new Problem('payload-too-large', `The body is larger than the ${bodyLimit} bytes ${id} accepts.`)
  return loaded
}

/** The capability of a name in any of its accepted spellings. Throws `validation-failed` naming the nearest ids. */
export function named(registry: Registry, name: string): LoadedCapability {
  const id = registry.names.get(name) ?? registry.names.get(name.toLowerCase())
  const loaded = id === undefined ? undefined : registry.capabilities.get(id)
  if (loaded !== undefined) return loaded
  const msg = `no capability is called ${JSON.stringify(name.slice(0, 60))}${hint(name.slice(0, 60), [...registry.capabilities.keys()])}`
  throw new Problem('validation-failed', `capability: ${msg}`, {
    validation: [{ loc: ['body', 'capability'], msg, type: 'enum' }],
    action: 'GET /v1/capabilities lists every id.',
  })
}

/** The catalogue of all capabilities. */
const MAIN_PRODUCT = 'agent'

/** Names of the product catalogues: the main one, those named by capabilities, those the operator configured. */
function productNames(services: HttpServices): string[] {
  const names = new Set([MAIN_PRODUCT, ...Object.keys(services.settings.products)])
  for (const { capability } of services.registry().capabilities.values()) for (const name of capability.products ?? []) names.add(name)
  return [...names]
}

/** Ids of a product's capabilities; null for the main one. Throws `validation-failed`; `root` begins its `loc`. */
export function capabilitiesOf(services: HttpServices, product: string, root = 'query'): ReadonlySet<string> | null {
  if (product === MAIN_PRODUCT) return null
  const names = productNames(services)
  if (!names.includes(product)) {
    const msg = `must be one of ${names.map((name) => `"${name}"`).join(', ')}`
    throw new Problem('validation-failed', `product: ${msg}`, { validation: [{ loc: [root, 'product'], msg, type: 'enum' }] })
  }
  const configured = services.settings.products[product] ?? []
  const own = [...services.registry().capabilities.values()].filter(({ capability }) => capability.products?.includes(product) === true)
  return new Set([...configured, ...own.map(({ capability }) => capability.id)])
}

/** The product a paid call is booked under: the query's, or the main one. */
export function productOf(services: HttpServices, ctx: HttpContext): string {
  const given = ctx.querystring === '' ? null : new URLSearchParams(ctx.querystring).get('product')
  if (given === null) return MAIN_PRODUCT
  capabilitiesOf(services, given)
  return given
}
