import type { Clock } from '../runtime/clock.js'
import type { Log } from '../runtime/log-events.js'
import { ulid } from '../runtime/id.js'
import type { SettingsWatch } from '../store/settings-watch.js'
import type { SettingsStore } from '../store/types.js'

const NAME = 'reload'

/**
 * An action that never runs twice at once. Who asks while it runs gets the outcome of one more run, begun after it and shared by all who
 * asked meanwhile: it sees everything that was there when they asked.
 */
export function oneAtATime(action: () => Promise<void>): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | null = null
  const begin = (): Promise<void> => {
    next = null
    const run = action()
    last = Promise.allSettled([run])
    return run
  }
  return () => (next ??= last.then(begin))
}

/** Reloads asked for by the administrator: done here at once, and by every other replica within seconds. */
export class Reloads {
  readonly #store: SettingsStore
  readonly #reload: () => Promise<void>
  readonly #clock: Clock
  readonly #log: Log
  /** The newest request this gateway has followed; undefined before the first look, which follows none. */
  #followed: string | null | undefined = undefined

  constructor(store: SettingsStore, watch: SettingsWatch, about: { clock: Clock; reload: () => Promise<void>; log: Log }) {
    this.#store = store
    this.#reload = about.reload
    this.#clock = about.clock
    this.#log = about.log
    watch.on(() => this.#look())
  }

  /** Reloads this gateway, then tells the others. Throws what the reload throws; the others are then not asked. */
  async request(): Promise<void> {
    await this.#reload()
    const id = ulid(this.#clock.now())
    this.#followed = id
    await this.#store.put(NAME, id)
  }

  async #look(): Promise<void> {
    const newest = await this.#store.get(NAME)
    if (newest === this.#followed) return
    const first = this.#followed === undefined
    this.#followed = newest
    if (first || newest === null) return
    this.#log('reload-asked', 'reloading, since another replica was asked to')
    // Its failure has been logged and the old state stays; asking again would fail again.
    await this.#reload().catch(() => undefined)
  }
}
