/** What decides the order of a port's providers. */
export interface OrderSource {
  /** The operator's own order (admin, variable or file), or null. */
  readonly given: readonly string[] | null
  /** The order of config/waterfall.json. */
  readonly defaults: readonly string[]
}

interface Ranked {
  readonly vendor: { readonly id: string; readonly optIn?: true }
  readonly contribution: { readonly rank: number }
}

/** True when the list only leaves vendors out (`-vendor`) and so does not set an order of its own. */
function onlyLeavesOut(order: readonly string[]): boolean {
  return order.length > 0 && order.every((item) => item.startsWith('-'))
}

/**
 * The providers of a port in the order in force. A list with plain ids is the whole order; a list of `-vendor` items is the
 * default order without them; the default order is the default list, then everyone else by rank and id. A vendor that wants to
 * be asked for is there only when a list names it.
 */
export function ordered<P extends Ranked>(providers: readonly P[], source: OrderSource): P[] {
  const { given, defaults } = source
  const byId = new Map(providers.map((provider) => [provider.vendor.id, provider]))
  const pick = (ids: readonly string[]): P[] => [...new Set(ids)].flatMap((id) => byId.get(id) ?? [])
  if (given !== null && !onlyLeavesOut(given)) return pick(given.filter((id) => !id.startsWith('-')))
  const out = new Set([...defaults, ...(given ?? [])].filter((id) => id.startsWith('-')).map((id) => id.slice(1)))
  const named = pick(defaults.filter((id) => !id.startsWith('-')))
  const others = providers.filter((provider) => !named.includes(provider) && provider.vendor.optIn !== true).sort(byRank)
  return [...named, ...others].filter((provider) => !out.has(provider.vendor.id))
}

function byRank(a: Ranked, b: Ranked): number {
  return a.contribution.rank - b.contribution.rank || (a.vendor.id < b.vendor.id ? -1 : 1)
}
