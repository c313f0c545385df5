import type { NetworkIdle } from './network-idle.js'

/** Most requests that are named. */
const NAMED = 3

/** Pending requests of a page for the timeout message: at most three, then the number of others. Empty when there are none. */
export function lateParts(network: NetworkIdle, kinds?: ReadonlySet<string>): string {
  const all = network.missing(kinds)
  const more = all.length - NAMED
  return all.slice(0, NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
