import { REST } from '../config/waterfall.js'

/** What decides the order of a port's providers. */
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

/** An order in which the vendors that it does not name have a place: the one that `...` has, the end of a list that only leaves vendors out. */
function withRest(order: readonly string[]): readonly string[] {
  return order.length > 0 && order.every((item) => item.startsWith('-')) ? [...order, REST] : order
}

/**
 * The providers of a port in the order in force. A list with plain ids is the whole order, in which `...` stands for the vendors that it
 * does not name, in the default order; a list of `-vendor` items is the default order without them; the default order is the default list,
 * then everyone else by rank and id. A vendor that wants to be asked for is there only when a list names it.
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
