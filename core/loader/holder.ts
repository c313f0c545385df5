import { disposeOf } from './dispose.js'
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

  /** Puts a new load in place and disposes of the plugins that are no longer part of it; answers the errors of those that failed or did not end in time. */
  async swap(loaded: Registry): Promise<Error[]> {
    const before = this.#loaded
    this.#loaded = loaded
    this.order(this.#orders)
    const kept = new Set(loaded.contributions)
    return await disposeOf(before.contributions.filter((plugin) => !kept.has(plugin)))
  }
}
