import type { LoadedCapability, LoadedPort, Registry } from '../loader/types.js'
import { callLimit, Fault, normalised, violations, type HandlerContribution, type PortAnswer } from '../sdk/index.js'
import { aside } from './aside.js'
import { composed } from './composed.js'
import type { Environment } from './environment.js'
import { Stopped, Unavailable } from '../problems/errors.js'
import { deepFreeze } from './freeze.js'
import { gather } from './gather.js'
import { isDirect, type AsideRequest, type CheckedPortRequest, type GatherRequest, type OfferedProvider } from './port-request.js'
import type { PortRequest, PortResult, Ports } from './port-request.js'
import { assertServed } from './served.js'
import { suspensionId } from './try-provider.js'
import { assertShallow, fits, waterfall } from './waterfall.js'
import type { PluginScope } from './context-scope.js'

/** The ports of an environment, which is resolved lazily because it contains this object. */
export class EnvironmentPorts implements Ports {
  readonly #environment: () => Environment

  constructor(environment: () => Environment) {
    this.#environment = environment
  }

  async invoke(request: PortRequest): Promise<PortResult> {
    const environment = this.#environment()
    const checked = checkedRequest(environment, request)
    const handled = handledBy(environment.registry(), request.portId, request.requester)
    return handled === null ? await waterfall(environment, checked) : await runHandled(environment, checked, handled)
  }

  async gather({ options, ...request }: GatherRequest): Promise<PortAnswer<unknown>[]> {
    const environment = this.#environment()
    const checked = checkedRequest(environment, request)
    assertShallow(request.depth, checked.port)
    if (handledBy(environment.registry(), request.portId, request.requester) !== null)
      throw new TypeError(`${request.portId} is made by a handler, so only its handler may gather from its vendors; use call`)
    return await gather(environment, checked, options)
  }

  aside<T>(scope: PluginScope, request: AsideRequest<T>): Promise<T | null> {
    return aside(this.#environment(), scope, request)
  }

  live(portId: string, requester?: string): boolean {
    const registry = this.#environment().registry()
    return handledBy(registry, portId, requester) === null ? this.offered(portId).length > 0 : registry.liveness(portId).live
  }

  offered(portId: string): OfferedProvider[] {
    const environment = this.#environment()
    const port = environment.registry().ports.get(portId)
    if (port === undefined) return []
    return port.providers
      .filter(({ state }) => state === 'live')
      .map((provider, order) => ({
        provider,
        suspended: environment.suspensions.isSuspended(suspensionId(port, provider)),
        order,
        serves: (given: unknown) => fits(environment, provider, checkedInput(port, given)),
      }))
  }
}

function checkedRequest(environment: Environment, request: PortRequest): CheckedPortRequest {
  const port = environment.registry().ports.get(request.portId)
  if (port === undefined) throw new Unavailable(request.portId, `No plugin provides ${request.portId}.`)
  const loaded = environment.registry().capabilities.get(request.portId)
  if (loaded === undefined || (request.requester === request.portId && loaded.capability.vendors !== undefined))
    return { ...request, port, input: checkedInput(port, request.given) }
  return {
    ...request,
    port,
    input: deepFreeze(normalised(loaded.capability, checkedInput({ ...port, input: loaded.input }, request.given))),
  }
}

function checkedInput(port: Pick<LoadedPort, 'port' | 'input'>, given: unknown): unknown {
  // Defaults are filled in in place, and the object belongs to the caller.
  const input: unknown = structuredClone(given)
  if (port.input.check(input)) return deepFreeze(input)
  throw wrongForm(port.port.id, port.input.explain())
}

interface Handled {
  readonly loaded: LoadedCapability
  readonly handler: HandlerContribution
}

/** The capability whose handler answers for an id; null for a port, and for a handler that calls its own vendors. */
function handledBy(registry: Registry, id: string, requester: string | undefined): Handled | null {
  const loaded = requester === id ? undefined : registry.capabilities.get(id)
  const handler = loaded?.handler ?? null
  return loaded === undefined || handler === null ? null : { loaded, handler }
}

function wrongForm(id: string, why: string): Fault {
  return new Fault('broken', 'A part of this capability was called with an input that it does not accept.', { internal: `${id}: ${why}` })
}

/** The answer of a capability that has a handler, within its own time limit. */
async function runHandled(environment: Environment, request: CheckedPortRequest, { loaded, handler }: Handled): Promise<PortResult> {
  const { call, port, input, cancel, depth, only, optional } = request
  const { capability } = loaded
  assertShallow(depth, port)
  const [first] = violations(capability, input)
  if (first !== undefined) throw wrongForm(capability.id, `${first.loc.join('.')} ${first.msg}`)
  if (only !== undefined) throw new TypeError(`${capability.id} is made by a handler, so that no single vendor of it can be called`)
  assertServed(environment, loaded, input)
  const step = cancel.step(callLimit(capability, input))
  try {
    const scope = { call, cancel: step.cancel, depth, direct: isDirect(request), under: capability.id, optional }
    const data = await composed(environment, { loaded, handler, input }, scope)
    return { provider: capability.id, data }
  } catch (error) {
    if (!(error instanceof Stopped) || cancel.cancelled) throw error
    throw new Fault('busy', `${capability.title} took too long.`, { cause: error })
  } finally {
    step.done()
  }
}
