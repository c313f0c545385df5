import type { SettingsWatch } from '../store/settings-watch.js'
import type { SettingsStore } from '../store/types.js'
import type { Suspensions } from './suspension.js'

const PREFIX = 'suspended:'

/** Suspensions by the operator: in the store, read by every replica within seconds. Ids are `port/vendor`. */
export class OperatorSuspensions {
  readonly #store: SettingsStore
  readonly #suspensions: Suspensions
  readonly #changed: (reasons: ReadonlyMap<string, string>) => void
  #reasons: ReadonlyMap<string, string> = new Map()
  /** Counts changes made here, to detect that a list read meanwhile is out of date. */
  #changes = 0

  /** `changed` is called after every change with all suspensions: reasons by id. */
  constructor(
    store: SettingsStore,
    watch: Pick<SettingsWatch, 'on'>,
    suspensions: Suspensions,
    changed: (reasons: ReadonlyMap<string, string>) => void = () => undefined,
  ) {
    this.#store = store
    this.#suspensions = suspensions
    this.#changed = changed
    watch.on(() => this.#read())
  }

  /** Whether the operator suspended the provider. */
  has(id: string): boolean {
    return this.#reasons.has(id)
  }

  /** Suspends a provider until it is resumed. Throws StoreUnavailable, and then changes nothing here. */
  async suspend(id: string, why: string): Promise<void> {
    await this.#store.put(PREFIX + id, why)
    this.#apply(new Map(this.#reasons).set(id, why))
  }

  /** Resumes a provider, whatever the reason of its suspension. Throws StoreUnavailable, and then changes nothing. */
  async resume(id: string): Promise<void> {
    await this.#store.delete(PREFIX + id)
    this.#apply(new Map([...this.#reasons].filter(([other]) => other !== id)))
    this.#suspensions.resume(id)
  }

  #apply(reasons: ReadonlyMap<string, string>): void {
    this.#changes++
    this.#reasons = reasons
    this.#suspensions.setManual(reasons)
    this.#changed(reasons)
  }

  async #read(): Promise<void> {
    const changes = this.#changes
    const rows = await this.#store.list(PREFIX)
    if (changes !== this.#changes) return await this.#read()
    this.#reasons = new Map(rows.map(({ name, value }) => [name.slice(PREFIX.length), value]))
    this.#suspensions.setManual(this.#reasons)
    this.#changed(this.#reasons)
  }
}
