import type { LoadedCapability, LoadedProvider, Registry } from '../loader/types.js'
import { required } from '../sdk/index.js'
import type { Environment } from './environment.js'
import { stateOf } from '../loader/liveness.js'
import { Unavailable } from '../problems/errors.js'

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
