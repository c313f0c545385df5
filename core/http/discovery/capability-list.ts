import { stateOf } from '../../loader/liveness.js'
import type { Registry } from '../../loader/types.js'
import { describe } from './described.js'

/** Ids, prices and providers with their state; no secrets, no settings. */
export function capabilityList(registry: Registry): unknown {
  return {
    capabilities: describe(registry).map(({ id, path, title, price, live, reason, limits, products, lists }) => ({
      id,
      path,
      title,
      price,
      live,
      reason,
      limits,
      products: ['agent', ...products],
      lists: lists.map((list) => list.path),
      ports: portsOf(registry, id).map((port) => ({
        id: port,
        providers: (registry.ports.get(port)?.providers ?? []).map((provider) => ({
          id: provider.vendor.id,
          title: provider.vendor.title,
          kind: provider.kind,
          state: stateOf(provider),
        })),
      })),
    })),
  }
}

/** The ports of a capability: its own where vendors serve it or it has no handler, and those its handler uses. */
function portsOf(registry: Registry, id: string): string[] {
  const loaded = registry.capabilities.get(id)
  if (loaded === undefined) return []
  if (loaded.handler === null) return [id]
  const own = (registry.ports.get(id)?.all ?? []).length > 0
  return [...new Set([...(own ? [id] : []), ...(loaded.capability.uses ?? []).map((port) => port.id)])]
}
