import type { Clock } from '../clock.js'
import type { SettingsStore } from '../store/port.js'
import type { Log } from './environment.js'

const PREFIX = 'waterfall:'
/** How often a replica asks whether another has changed an order, in milliseconds. */
const LOOK_MS = 2_000

/** Waterfall orders the operator set while running: kept in the store, seen by every replica within seconds. */
export class WaterfallOrders {
  readonly #store: SettingsStore
  readonly #log: Log
  readonly #changed: (orders: ReadonlyMap<string, readonly string[]>) => void
  readonly #stop: () => void
  #orders: ReadonlyMap<string, readonly string[]> = new Map()
  #version = -1

  constructor(store: SettingsStore, clock: Clock, about: { log: Log; changed: (orders: ReadonlyMap<string, readonly string[]>) => void }) {
    this.#store = store
    this.#log = about.log
    this.#changed = about.changed
    this.#stop = clock.every(LOOK_MS, () => {
      this.look().catch((error: unknown) => this.#log('warn', 'waterfall orders could not be read', { error: String(error) }))
    })
  }

  get current(): ReadonlyMap<string, readonly string[]> {
    return this.#orders
  }

  /** Reads the orders if any setting changed since the last look. */
  async look(): Promise<void> {
    const version = await this.#store.version()
    if (version === this.#version) return
    const rows = await this.#store.list(PREFIX)
    this.#version = version
    this.#orders = new Map(rows.map(({ name, value }) => [name.slice(PREFIX.length), value.split(',').filter((id) => id !== '')]))
    this.#changed(this.#orders)
  }

  async put(port: string, order: readonly string[]): Promise<void> {
    await this.#store.put(PREFIX + port, order.join(','))
    await this.look()
  }

  /** False when no order was set. */
  async remove(port: string): Promise<boolean> {
    const removed = await this.#store.delete(PREFIX + port)
    await this.look()
    return removed
  }

  close(): void {
    this.#stop()
  }
}
