import type { Registry } from '../loader/types.js'
import { describe } from './described.js'

/** Ids, prices and providers with their state; no secrets, no settings. */
export function capabilityList(registry: Registry): unknown {
  return {
    capabilities: describe(registry).map(({ id, path, title, price, live, reason, products, lists }) => ({
      id,
      path,
      title,
      price,
      live,
      reason,
      products: ['agent', ...products],
      lists: lists.map((list) => list.path),
      ports: portsOf(registry, id).map((port) => ({
        id: port,
        providers: (registry.ports.get(port)?.providers ?? []).map(({ vendor, state, kind }) => ({
          id: vendor.id,
          title: vendor.title,
          kind,
          state,
        })),
      })),
    })),
  }
}

/** The ports a capability is made of: those its handler uses, or itself. */
export function portsOf(registry: Registry, id: string): string[] {
  const loaded = registry.capabilities.get(id)
  if (loaded === undefined) return []
  return loaded.handler === null ? [id] : (loaded.capability.uses ?? []).map((port) => port.id)
}
