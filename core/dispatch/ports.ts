import { stateOf } from '../loader/liveness.js'
import type { HeldRegistry, LoadedCapability, LoadedPort, LoadedProvider, Registry } from '../loader/types.js'
import { Stopped, Unavailable } from '../problems/errors.js'
import { noNameServer } from '../problems/own-shortage.js'
import { Problem } from '../problems/problem.js'
import { callLimit, Fault, type HandlerContribution, normalised, type PortAnswer, required, violations } from '../sdk/index.js'
import { StoreUnavailable } from '../store/types.js'
import {
  type AsideRequest,
  type CheckedPortRequest,
  type GatherRequest,
  isDirect,
  type OfferedProvider,
  type PluginScope,
  type PortRequest,
  type PortResult,
  type Ports,
} from './port-request.js'
import { runWithContext } from './context.js'
import type { Environment } from './environment.js'
import { problemFrom } from './from-error.js'
import { gather } from './gather.js'
import { composed, deepFreeze } from './perform.js'
import { suspensionId } from './try-provider.js'
import { assertShallow, fits, waterfall } from './waterfall.js'

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
  const { call, cancel, depth, portId, given, only, direct, requester, under, optional } = request
  const port = environment.registry().ports.get(portId)
  if (port === undefined) throw new Unavailable(portId, `No plugin provides ${portId}.`)
  const loaded = environment.registry().capabilities.get(portId)
  const plain = loaded === undefined || (requester === portId && loaded.capability.vendors !== undefined)
  const checked = checkedInput(plain ? port : { ...port, input: loaded.input }, given)
  const input = plain ? checked : deepFreeze(normalised(loaded.capability, checked))
  return { call, port, input, cancel, depth, only, direct, under, optional }
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

/**
 * Runs an optional part of a call with its own context and time limit. Returns null when it fails or exceeds the limit,
 * and cancels it. Throws only Stopped, when the call itself ends, and the error that no name server answers.
 */
async function aside<T>(environment: Environment, scope: PluginScope, request: AsideRequest<T>): Promise<T | null> {
  const { task, withinMs, about, onFailure } = request
  const { cancel, call } = scope
  if (Number.isNaN(withinMs)) throw new TypeError('aside: withinMs is not a number')
  const step = cancel.step(Math.max(0, withinMs))
  try {
    return await runWithContext(environment, { ...scope, cancel: step.cancel, optional: true }, async (context) => await task(context))
  } catch (error) {
    if (cancel.reason !== null) throw new Stopped(cancel.reason)
    if (noNameServer(error)) throw error
    const fault = faultOf(error, withinMs)
    const { message: why, internal = null } = fault
    onFailure?.(fault)
    if (about !== undefined) call.note(`${about}: ${why}`)
    environment.log(internal === null ? 'part-left-out' : 'part-failed', `an optional part of a call was omitted: ${why}`, {
      request_id: call.requestId,
      ...(about === undefined ? {} : { about }),
      ...(internal === null ? {} : { internal }),
    })
    return null
  } finally {
    step.done()
  }
}

/** Why there is no result, as a Fault: its message is for the caller, `internal` for the log alone. */
function faultOf(error: unknown, withinMs: number): Fault {
  if (Fault.is(error)) return error
  if (error instanceof Stopped) return new Fault('busy', `No result within ${Math.round(withinMs)} ms.`, { cause: error })
  if (error instanceof Unavailable) return new Fault('missing', error.message, { unavailable: true, cause: error })
  // A shortage of the gateway itself: the cause decides how a call ends that requires this part.
  if (error instanceof Problem) return new Fault('busy', error.message, { unavailable: true, cause: error })
  if (error instanceof StoreUnavailable)
    return new Fault('busy', 'The database of the gateway did not answer.', {
      unavailable: true,
      internal: error.message,
      cause: problemFrom(error),
    })
  const internal = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return new Fault('broken', 'It failed unexpectedly.', { internal, cause: error })
}

/** One call's environment, valid until `end`. */
export interface CallEnvironment {
  readonly environment: Environment
  readonly end: () => void
}

/** The environments of calls: a call keeps the registry it began with across reloads and changes of order. */
export class CallEnvironments {
  readonly #environment: Environment
  /** One for each registry: shared, because it is as large as everything else that a call allocates. */
  readonly #known = new WeakMap<Registry, Environment>()

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** The environment of one call, valid until `end`. Background work keeps the same registry by `begin`. */
  begin(): CallEnvironment {
    const held = this.#environment.begin()
    return { environment: this.#known.get(held.registry) ?? this.#made(held), end: held.end }
  }

  #made({ registry, again }: HeldRegistry): Environment {
    const made: Environment = {
      ...this.#environment,
      registry: () => registry,
      begin: again,
      ports: new EnvironmentPorts(() => made),
    }
    this.#known.set(registry, made)
    return made
  }
}

/**
 * Throws Unavailable, with the missing settings, when a port that this input requires has no live provider: a required
 * port, or the own one without a handler or with a handler that uses no other. Called before credits are held.
 */
export function assertServed(environment: Environment, { capability, handler }: LoadedCapability, input: unknown): void {
  const registry = environment.registry()
  const alone = (capability.uses ?? []).length === 0 && (registry.ports.get(capability.id)?.all ?? []).length > 0
  const own = handler === null || alone ? [capability] : []
  for (const { id } of [...required(capability, input), ...own]) assertLive(registry, id, capability.id)
}

function assertLive(registry: Registry, id: string, requester: string): void {
  if (id !== requester && (registry.capabilities.get(id)?.handler ?? null) !== null) {
    const { live, reason } = registry.liveness(id)
    if (live) return
    throw new Unavailable(id, `${id} cannot answer. ${reason ?? ''}`.trim() + livePart(registry, requester))
  }
  const port = registry.ports.get(id)
  if (port?.providers.some((provider) => stateOf(provider) === 'live') === true) return
  const reasons = port?.all.flatMap((provider) => whyNot(provider)) ?? []
  const why = reasons.length === 0 ? (registry.liveness(id).reason ?? 'Nothing in this version serves it') : reasons.join('; ')
  throw new Unavailable(id, `No provider of ${id} is live. ${why}.${livePart(registry, requester)}`)
}

/** Names the live part of the capability, if any. */
function livePart(registry: Registry, capability: string): string {
  const { limits } = registry.liveness(capability)
  return limits === null ? '' : ` Live here: ${limits.slice(0, limits.indexOf(': '))}.`
}

function whyNot(provider: LoadedProvider): string[] {
  const { vendor, reason } = provider
  if (stateOf(provider) === 'suspended') return [`${vendor.id}: suspended by the operator`]
  return reason === null ? [] : [`${vendor.id}: ${reason}`]
}
