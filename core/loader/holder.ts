import type { Registry } from './port.js'

/** The registry in force, with the orders the operator set while running. Swapped whole; a call keeps what it began with. */
export class RegistryHolder {
  #loaded: Registry
  #current: Registry
  #orders: ReadonlyMap<string, readonly string[]> = new Map()

  constructor(loaded: Registry) {
    this.#loaded = loaded
    this.#current = loaded
  }

  get current(): Registry {
    return this.#current
  }

  /** Applies orders that stand before all configured ones. */
  order(orders: ReadonlyMap<string, readonly string[]>): void {
    this.#orders = orders
    this.#current = orders.size === 0 ? this.#loaded : this.#loaded.withOrders(orders)
  }

  /** Puts a new load in place and lets plugins go that are no longer part of it; what they throw is answered and changes nothing. */
  async swap(loaded: Registry): Promise<unknown[]> {
    const before = this.#loaded
    this.#loaded = loaded
    this.order(this.#orders)
    const kept = new Set(loaded.contributions)
    const gone = before.contributions.filter((plugin) => !kept.has(plugin))
    const ends = await Promise.allSettled(gone.map(async (plugin) => await plugin.dispose?.()))
    return ends.flatMap((end): unknown[] => (end.status === 'rejected' ? [end.reason] : []))
  }
}
