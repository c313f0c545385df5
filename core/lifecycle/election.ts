import type { Clock } from '../runtime/clock.js'
import type { Store } from '../store/types.js'

/** True for one gateway of all that start at once, and for one of those that find it dead. `role` names what it is elected for. */
export async function isElected(role: string, store: Store, clock: Clock, instance: string): Promise<boolean> {
  for (let name = role; ;) {
    const holder = await store.settings.putIfAbsent(name, instance)
    if (holder === instance) return true
    // A store that only one process can have open has no other living gateway.
    if (store.shared && (await store.leases.live(clock.now())).includes(holder)) return false
    name = `${role} after ${holder}`
  }
}
