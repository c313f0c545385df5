import type { PluginContribution } from '../sdk/index.js'
import { disposeOf } from './registry.js'
import type { HeldRegistry, ProviderMarks, Registry } from './types.js'

/** A loaded registry, and the number of running calls that began with it. */
interface HeldLoad {
  readonly registry: Registry
  calls: number
  /** Called once no call uses this load, with what no other load contains. */
  leave: (gone: Gone) => void
}

interface Gone {
  readonly plugins: readonly PluginContribution[]
  /** Handlers and providers. */
  readonly code: ReadonlySet<object>
}

/** The current registry, with the operator's orders set at run time. Replaced as a whole; a call keeps its own. */
export class RegistryHolder {
  /** Oldest first. A load stays while a call of it or of an older one runs, since plugins may be part of several. */
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

  /** The current registry for one call: none of its plugins is disposed of before `end`, which is idempotent. */
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
      this.#releaseUnused()
    }
    return { registry, again: () => this.#hold(load, registry), end }
  }

  /** Applies orders that override all configured ones. */
  order(orders: ReadonlyMap<string, readonly string[]>): void {
    this.#orders = orders
    this.#current = this.#ordered(this.#loaded.registry)
  }

  /** Sets suspensions by the operator or failures of vendor probes; marks that are not given stay. */
  mark(marks: Partial<ProviderMarks>): void {
    this.#marks = { ...this.#marks, ...marks }
    this.#current = this.#ordered(this.#loaded.registry)
  }

  /**
   * Activates a new load at once. After the last earlier call, `close` is called with the handlers and providers that are
   * no longer used, then their plugins are disposed of. Resolves with the errors of failures and timeouts.
   */
  swap(loaded: Registry, close: (code: ReadonlySet<object>) => Promise<Error[]> = () => Promise.resolve([])): Promise<Error[]> {
    this.#current = this.#ordered(loaded)
    const before = this.#loaded
    const left = new Promise<Gone>((resolve) => void (before.leave = resolve))
    this.#older.push(before)
    this.#loaded = loadOf(loaded)
    this.#releaseUnused()
    return left.then(async ({ plugins, code }) => [...(await close(code)), ...(await disposeOf(plugins))])
  }

  #ordered(loaded: Registry): Registry {
    const { suspended, failing } = this.#marks
    return this.#orders.size + suspended.size + failing.size === 0 ? loaded : loaded.withOrders(this.#orders, this.#marks)
  }

  #releaseUnused(): void {
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
