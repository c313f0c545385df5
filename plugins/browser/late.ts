import type { NetworkIdle } from './network-idle.js'

/** As many are named. */
const NAMED = 3

/** What a page waits for, for a sentence that says that its time is over: at most three, then how many more. Empty when it waits for nothing. */
export function lateParts(network: NetworkIdle, kinds?: ReadonlySet<string>): string {
  const all = network.missing(kinds)
  const more = all.length - NAMED
  return all.slice(0, NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
