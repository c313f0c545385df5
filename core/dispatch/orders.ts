import type { SettingsWatch } from '../store/settings-watch.js'
import type { SettingsStore } from '../store/types.js'

const PREFIX = 'waterfall:'

/** Waterfall orders that the operator set at run time: kept in the store, read by every replica within seconds. */
export class WaterfallOrders {
  readonly #store: SettingsStore
  readonly #watch: SettingsWatch
  readonly #changed: (orders: ReadonlyMap<string, readonly string[]>) => void
  #orders: ReadonlyMap<string, readonly string[]> = new Map()

  constructor(store: SettingsStore, watch: SettingsWatch, changed: (orders: ReadonlyMap<string, readonly string[]>) => void) {
    this.#store = store
    this.#watch = watch
    this.#changed = changed
    watch.on(() => this.#read())
  }

  get current(): ReadonlyMap<string, readonly string[]> {
    return this.#orders
  }

  async put(port: string, order: readonly string[]): Promise<void> {
    await this.#store.put(PREFIX + port, order.join(','))
    await this.#watch.check()
  }

  /** False when no order was set. */
  async remove(port: string): Promise<boolean> {
    const removed = await this.#store.delete(PREFIX + port)
    await this.#watch.check()
    return removed
  }

  async #read(): Promise<void> {
    const rows = await this.#store.list(PREFIX)
    this.#orders = new Map(rows.map(({ name, value }) => [name.slice(PREFIX.length), value.split(',').filter((id) => id !== '')]))
    this.#changed(this.#orders)
  }
}
