import { isDeepStrictEqual } from 'node:util'
import { cleanUpAll, type CleanUp } from '../runtime/answered.js'
import { systemClock, type Clock } from '../runtime/clock.js'
import { ResourceTable, type Resource, type ResourceHost } from '../sdk/index.js'
import { closeLate, open, withinLimit } from './opening.js'

type Settings = Readonly<Record<string, unknown>>

/** A host for one resource, and its clean-up. */
export type HostOf = (id: string, settings: Settings) => { host: ResourceHost; cleanUp: () => Promise<void> }

interface Uses {
  readonly users: Set<object>
  readonly drop: CleanUp
  /** Removes it from the table and returns how to close it. */
  readonly take: () => (() => Promise<void>) | undefined
  /** The handler or provider whose settings it was opened with. */
  readonly opener: object
  readonly settings: Settings
}

/** Long-lived resources of plugins (a browser): opened on first use, one of each, closed on reload and stop. */
export class Resources {
  readonly #table = new ResourceTable()
  readonly #uses = new Map<object, Uses>()
  /** Resources whose settings have changed and which earlier calls may still use. */
  readonly #retired = new Set<() => Promise<void>>()
  /** Current settings by handler or provider; empty before the first reload, when the given ones apply. */
  #settings: ReadonlyMap<object, Settings> = new Map()
  readonly #hostOf: HostOf
  readonly #clock: Clock
  #closed = false

  constructor(hostOf: HostOf, clock: Clock = systemClock) {
    this.#hostOf = hostOf
    this.#clock = clock
  }

  /**
   * Returns the resource, opening it on first use. After an opening that failed or exceeded 30 seconds (a Fault `busy`),
   * the next use tries again. `user`: the handler or provider that uses it; without one it stays open until the stop.
   * `given`: the settings its call began with; it is opened with the current ones if a reload changed them.
   */
  use<R>(resource: Resource<R>, given: Settings, user: object = resource): Promise<R> {
    if (this.#closed) return Promise.reject(new Error(`resource ${resource.id} was requested after the stop`))
    const known = this.#table.get(resource)
    const settings = this.#settings.get(user) ?? given
    this.#note(resource, user, settings)
    if (known !== undefined) return known
    const { host, cleanUp } = this.#hostOf(resource.id, settings)
    const opening = open(resource, host)
    const value = withinLimit(opening, resource, this.#clock)
    this.#table.set(resource, value, async () => {
      const [settled] = await Promise.allSettled([value])
      if (settled.status === 'fulfilled') await resource.close?.(settled.value)
      else void closeLate(resource, { opening, host, cleanUp })
      await cleanUp()
    })
    return value.catch(async (error: unknown) => {
      // Another use may have replaced it already.
      if (this.#table.get(resource) === value) await this.forget(resource)
      throw error
    })
  }

  /**
   * Sets the current settings by handler or provider. Resources with other settings are retired; the next use opens new
   * ones. Call the returned function once all earlier calls have ended: it closes the retired resources, and resolves
   * to an error for each whose closing failed or exceeded five seconds.
   */
  renew(settings: ReadonlyMap<object, Settings>): () => Promise<Error[]> {
    this.#settings = settings
    const closings: CleanUp[] = []
    for (const [resource, uses] of this.#uses) {
      const now = settings.get(uses.opener)
      if (now === undefined || isDeepStrictEqual(now, uses.settings)) continue
      const close = uses.take()
      this.#uses.delete(resource)
      if (close === undefined) continue
      this.#retired.add(close)
      const [name] = uses.drop
      closings.push([name, () => (this.#retired.delete(close) ? close() : undefined)])
    }
    return () => cleanUpAll(closings)
  }

  /** Drops a broken resource, so that the next use opens a new one. */
  async forget<R>(resource: Resource<R>): Promise<void> {
    this.#uses.delete(resource)
    await this.#table.take(resource)?.()
  }

  /**
   * Closes the resources that only this code has used; no call may still run it. Resolves to an error for each whose
   * closing failed or exceeded five seconds.
   */
  async leave(code: ReadonlySet<object>): Promise<Error[]> {
    const closings: CleanUp[] = []
    for (const { users, drop } of this.#uses.values()) {
      for (const gone of code) users.delete(gone)
      if (users.size === 0) closings.push(drop)
    }
    return await cleanUpAll(closings)
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#uses.clear()
    const retired = [...this.#retired]
    this.#retired.clear()
    await Promise.allSettled([...this.#table.takeAll(), ...retired].map((close) => close()))
  }

  #note<R>(resource: Resource<R>, user: object, settings: Settings): void {
    const drop: CleanUp = [`closing resource ${resource.id}`, () => this.forget(resource)]
    const take = () => this.#table.take(resource)
    const uses = this.#uses.get(resource) ?? { users: new Set(), drop, take, opener: user, settings }
    uses.users.add(user)
    this.#uses.set(resource, uses)
  }
}
