import type { Clock } from '../runtime/clock.js'
import type { Store } from '../store/types.js'

/** True for exactly one of all gateways that start at once; after its death, for one of the others. `role`: what it is elected for. */
export async function isElected(role: string, store: Store, clock: Clock, instance: string): Promise<boolean> {
  for (let name = role; ;) {
    const holder = await store.settings.putIfAbsent(name, instance)
    if (holder === instance) return true
    // A store that only one process can open has no other live gateway.
    if (store.shared && (await store.leases.live(clock.now())).includes(holder)) return false
    name = `${role} after ${holder}`
  }
}
