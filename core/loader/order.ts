import type { LoadedPort, Registry } from './types.js'
import { REST } from '../config/waterfall.js'

/** Vendors of a port that the current order leaves out. */
export interface LeftOut {
  readonly port: string
  readonly vendors: readonly string[]
}

/** Vendors of one port that its order leaves out, without opt-in vendors. */
export function leftOutOf({ all, providers }: Pick<LoadedPort, 'all' | 'providers'>): string[] {
  const inOrder = new Set(providers.map(({ vendor }) => vendor.id))
  return all.filter(({ vendor, optedOut }) => !optedOut && !inOrder.has(vendor.id)).map(({ vendor }) => vendor.id)
}

/** Vendors that the current orders leave out, by port. */
export function leftOut({ ports }: Pick<Registry, 'ports'>): LeftOut[] {
  return [...ports].flatMap(([port, loaded]) => {
    const vendors = leftOutOf(loaded)
    return vendors.length === 0 ? [] : [{ port, vendors }]
  })
}

/** The sources of the order of a port's providers. */
interface OrderSource {
  /** The operator's own order (admin, variable or file), or null. */
  readonly given: readonly string[] | null
  /** The order of config/waterfall.json. */
  readonly defaults: readonly string[]
}

interface Ranked {
  readonly vendor: { readonly id: string; readonly optIn?: true }
  readonly contribution: { readonly rank: number }
}

/** Appends `...`, for all other vendors, to a list that only leaves vendors out. */
function withRest(order: readonly string[]): readonly string[] {
  return order.length > 0 && order.every((item) => item.startsWith('-')) ? [...order, REST] : order
}

/**
 * The providers of a port in the current order. A list with plain ids is the complete order, in which `...` means
 * the other vendors in default order; a list of `-vendor` items is the default order without them. The default order is
 * the default list, then all others by rank and id. An opt-in vendor is included only when a list names it.
 */
export function ordered<P extends Ranked>(providers: readonly P[], source: OrderSource): P[] {
  const byId = new Map(providers.map((provider) => [provider.vendor.id, provider]))
  const standard = byDefault(providers, source.defaults)
  if (source.given === null) return standard
  const named = new Set(source.given.map((item) => item.replace(/^-/, '')))
  const rest = standard.filter(({ vendor }) => !named.has(vendor.id))
  return [...new Set(withRest(source.given))].flatMap((item) => (item === REST ? rest : (byId.get(item) ?? [])))
}

function byDefault<P extends Ranked>(providers: readonly P[], defaults: readonly string[]): P[] {
  const byId = new Map(providers.map((provider) => [provider.vendor.id, provider]))
  const named = defaults.flatMap((id) => byId.get(id) ?? [])
  const out = new Set(defaults.filter((id) => id.startsWith('-')).map((id) => id.slice(1)))
  const others = providers.filter((provider) => !named.includes(provider) && provider.vendor.optIn !== true).sort(byRank)
  return [...named, ...others.filter(({ vendor }) => !out.has(vendor.id))]
}

function byRank(a: Ranked, b: Ranked): number {
  return a.contribution.rank - b.contribution.rank || (a.vendor.id < b.vendor.id ? -1 : 1)
}
