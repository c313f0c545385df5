import type { SettingsWatch } from '../store/settings-watch.js'
import type { SettingsStore } from '../store/types.js'
import type { Suspensions } from './suspension.js'

const PREFIX = 'suspended:'

/** Providers the operator took out: kept in the store, seen by every replica within seconds and at the start. Ids are `port/vendor`. */
export class OperatorSuspensions {
  readonly #store: SettingsStore
  readonly #suspensions: Suspensions
  readonly #changed: (standing: ReadonlyMap<string, string>) => void
  #standing: ReadonlyMap<string, string> = new Map()
  /** Changes made here, so that a list read meanwhile is known to be out of date. */
  #changes = 0

  /** `changed` hears, after every change, of all that are out: reasons by id. */
  constructor(
    store: SettingsStore,
    watch: Pick<SettingsWatch, 'on'>,
    suspensions: Suspensions,
    changed: (standing: ReadonlyMap<string, string>) => void = () => undefined,
  ) {
    this.#store = store
    this.#suspensions = suspensions
    this.#changed = changed
    watch.on(() => this.#read())
  }

  /** Whether the operator took the provider out. */
  has(id: string): boolean {
    return this.#standing.has(id)
  }

  /** Takes a provider out until it is resumed. Throws StoreUnavailable; the provider then stays as it is here. */
  async suspend(id: string, why: string): Promise<void> {
    await this.#store.put(PREFIX + id, why)
    this.#stand(new Map(this.#standing).set(id, why))
  }

  /** Brings a provider back at once, whatever it was suspended for. Throws StoreUnavailable; the provider then stays as it is here. */
  async resume(id: string): Promise<void> {
    await this.#store.delete(PREFIX + id)
    this.#stand(new Map([...this.#standing].filter(([other]) => other !== id)))
    this.#suspensions.resume(id)
  }

  #stand(standing: ReadonlyMap<string, string>): void {
    this.#changes++
    this.#standing = standing
    this.#suspensions.standing(standing)
    this.#changed(standing)
  }

  async #read(): Promise<void> {
    const changes = this.#changes
    const rows = await this.#store.list(PREFIX)
    if (changes !== this.#changes) return await this.#read()
    this.#standing = new Map(rows.map(({ name, value }) => [name.slice(PREFIX.length), value]))
    this.#suspensions.standing(this.#standing)
    this.#changed(this.#standing)
  }
}
