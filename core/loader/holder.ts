import type { PluginContribution } from '../sdk/index.js'
import { disposeOf } from './dispose.js'
import type { HeldRegistry, ProviderMarks, Registry } from './types.js'

/** A registry as it was loaded, and how many calls that began with it still run. */
interface HeldLoad {
  readonly registry: Registry
  calls: number
  /** Told, once no call needs this load any more, what no other load has. */
  leave: (gone: Gone) => void
}

interface Gone {
  readonly plugins: readonly PluginContribution[]
  /** Handlers and providers, as their plugins define them. */
  readonly code: ReadonlySet<object>
}

/** The registry in force, with the orders the operator set while running. Swapped whole; a call keeps what it began with. */
export class RegistryHolder {
  /** Oldest first. Those before the last stay while a call runs that began with them or with an older one: plugins may be in several. */
  readonly #older: HeldLoad[] = []
  #loaded: HeldLoad
  #current: Registry
  #orders: ReadonlyMap<string, readonly string[]> = new Map()
  #marks: ProviderMarks = { suspended: new Map(), failing: new Map() }

  constructor(loaded: Registry) {
    this.#loaded = loadOf(loaded)
    this.#current = loaded
  }

  get current(): Registry {
    return this.#current
  }

  /** The registry in force, for one call: none of its plugins is disposed of before `end`, which has an effect once. */
  begin(): HeldRegistry {
    return this.#hold(this.#loaded, this.#current)
  }

  #hold(load: HeldLoad, registry: Registry): HeldRegistry {
    load.calls++
    let ended = false
    const end = (): void => {
      if (ended) return
      ended = true
      load.calls--
      this.#letGo()
    }
    return { registry, again: () => this.#hold(load, registry), end }
  }

  /** Applies orders that stand before all configured ones. */
  order(orders: ReadonlyMap<string, readonly string[]>): void {
    this.#orders = orders
    this.#current = this.#ordered(this.#loaded.registry)
  }

  /** Shows providers as the operator left them, or as their vendors' probes found them; what is not given stays. */
  mark(marks: Partial<ProviderMarks>): void {
    this.#marks = { ...this.#marks, ...marks }
    this.#current = this.#ordered(this.#loaded.registry)
  }

  /**
   * Puts a new load in place at once. When the last call that began before has ended, `close` gets the handlers and providers that are no
   * longer part of it, then their plugins are disposed of; the promise resolves with the errors of what failed or did not end in time.
   */
  swap(loaded: Registry, close: (code: ReadonlySet<object>) => Promise<Error[]> = () => Promise.resolve([])): Promise<Error[]> {
    this.#current = this.#ordered(loaded)
    const before = this.#loaded
    const left = new Promise<Gone>((resolve) => void (before.leave = resolve))
    this.#older.push(before)
    this.#loaded = loadOf(loaded)
    this.#letGo()
    return left.then(async ({ plugins, code }) => [...(await close(code)), ...(await disposeOf(plugins))])
  }

  #ordered(loaded: Registry): Registry {
    const { suspended, failing } = this.#marks
    return this.#orders.size + suspended.size + failing.size === 0 ? loaded : loaded.withOrders(this.#orders, this.#marks)
  }

  #letGo(): void {
    for (;;) {
      const [oldest] = this.#older
      if (oldest?.calls !== 0) return
      this.#older.shift()
      const others = [...this.#older, this.#loaded].map(({ registry }) => registry)
      const kept = new Set<object>(others.flatMap((registry) => [...registry.contributions, ...codeOf(registry)]))
      oldest.leave({
        plugins: oldest.registry.contributions.filter((plugin) => !kept.has(plugin)),
        code: new Set(codeOf(oldest.registry).filter((code) => !kept.has(code))),
      })
    }
  }
}

function loadOf(registry: Registry): HeldLoad {
  return { registry, calls: 0, leave: () => undefined }
}

function codeOf({ capabilities, ports }: Registry): object[] {
  const handlers = [...capabilities.values()].flatMap(({ handler }) => handler ?? [])
  return [...handlers, ...[...ports.values()].flatMap(({ all }) => all.map(({ contribution }) => contribution))]
}
