import type { PluginContribution } from '../sdk/index.js'
import { disposeOf } from './dispose.js'
import type { HeldRegistry, Registry } from './port.js'

/** A registry as it was loaded, and how many calls that began with it still run. */
interface Load {
  readonly registry: Registry
  calls: number
  /** Told, once no call needs this load any more, which of its plugins no other load has. */
  leave: (gone: readonly PluginContribution[]) => void
}

/** The registry in force, with the orders the operator set while running. Swapped whole; a call keeps what it began with. */
export class RegistryHolder {
  /** Oldest first. Those before the last stay while a call runs that began with them or with an older one: plugins may be in several. */
  readonly #older: Load[] = []
  #loaded: Load
  #current: Registry
  #orders: ReadonlyMap<string, readonly string[]> = new Map()

  constructor(loaded: Registry) {
    this.#loaded = loadOf(loaded)
    this.#current = loaded
  }

  get current(): Registry {
    return this.#current
  }

  /** The registry in force, for one call: none of its plugins is disposed of before `end`, which has an effect once. */
  begin(): HeldRegistry {
    const load = this.#loaded
    load.calls++
    let ended = false
    const end = (): void => {
      if (ended) return
      ended = true
      load.calls--
      this.#letGo()
    }
    return { registry: this.#current, end }
  }

  /** Applies orders that stand before all configured ones. */
  order(orders: ReadonlyMap<string, readonly string[]>): void {
    this.#orders = orders
    this.#current = this.#ordered(this.#loaded.registry)
  }

  /**
   * Puts a new load in place at once. The plugins that are no longer part of it are disposed of when the last call that began before has
   * ended; the promise resolves then, with the errors of those that failed or did not end in time.
   */
  swap(loaded: Registry): Promise<Error[]> {
    this.#current = this.#ordered(loaded)
    const before = this.#loaded
    const left = new Promise<readonly PluginContribution[]>((resolve) => void (before.leave = resolve))
    this.#older.push(before)
    this.#loaded = loadOf(loaded)
    this.#letGo()
    return left.then(disposeOf)
  }

  #ordered(loaded: Registry): Registry {
    return this.#orders.size === 0 ? loaded : loaded.withOrders(this.#orders)
  }

  #letGo(): void {
    for (;;) {
      const [oldest] = this.#older
      if (oldest?.calls !== 0) return
      this.#older.shift()
      const kept = new Set([...this.#older, this.#loaded].flatMap(({ registry }) => registry.contributions))
      oldest.leave(oldest.registry.contributions.filter((plugin) => !kept.has(plugin)))
    }
  }
}

function loadOf(registry: Registry): Load {
  return { registry, calls: 0, leave: () => undefined }
}
