import { isDeepStrictEqual } from 'node:util'
import { cleanUpAll, type CleanUp } from '../runtime/clean-up.js'
import { systemClock, type Clock } from '../runtime/clock.js'
import { ResourceTable, type Resource, type ResourceHost } from '../sdk/index.js'
import { closeLate, inTime, opened } from './opening.js'

type Settings = Readonly<Record<string, unknown>>

/** A host for one resource, and what must be cleaned up after it. */
export type HostOf = (id: string, settings: Settings) => { host: ResourceHost; cleanUp: () => Promise<void> }

interface Uses {
  readonly users: Set<object>
  readonly drop: CleanUp
  /** Takes it out of the table and answers how to close it. */
  readonly take: () => (() => Promise<void>) | undefined
  /** Whose settings it was opened with. */
  readonly opener: object
  readonly settings: Settings
}

/** Long-lived things of plugins (a browser): opened when first used, one of each, closed on reload and stop. */
export class Resources {
  readonly #table = new ResourceTable()
  readonly #uses = new Map<object, Uses>()
  /** Those whose settings changed, while calls that began before may still use them. */
  readonly #retired = new Set<() => Promise<void>>()
  /** Settings in force, by handler or provider; none before the first reload, when those given are in force. */
  #settings: ReadonlyMap<object, Settings> = new Map()
  readonly #hostOf: HostOf
  readonly #clock: Clock
  #closed = false

  constructor(hostOf: HostOf, clock: Clock = systemClock) {
    this.#hostOf = hostOf
    this.#clock = clock
  }

  /**
   * The resource, opening it if this is its first use. An opening that failed, or has not ended after 30 seconds (a Fault `busy`), is tried
   * again by the next use. `user` is the handler or provider that uses it; without one it stays until the stop. `given` are the settings its
   * call began with: a reload may have changed them since, and what is opened has those in force.
   */
  use<R>(resource: Resource<R>, given: Settings, user: object = resource): Promise<R> {
    if (this.#closed) return Promise.reject(new Error(`resource ${resource.id} is asked for after the stop`))
    const known = this.#table.get(resource)
    const settings = this.#settings.get(user) ?? given
    this.#note(resource, user, settings)
    if (known !== undefined) return known
    const { host, cleanUp } = this.#hostOf(resource.id, settings)
    const opening = opened(resource, host)
    const value = inTime(opening, resource, this.#clock)
    this.#table.set(resource, value, async () => {
      const [settled] = await Promise.allSettled([value])
      if (settled.status === 'fulfilled') await resource.close?.(settled.value)
      else void closeLate(resource, { opening, host, cleanUp })
      await cleanUp()
    })
    return value.catch(async (error: unknown) => {
      // Another use may have put a new one in its place already.
      if (this.#table.get(resource) === value) await this.forget(resource)
      throw error
    })
  }

  /**
   * The settings in force from now on, by handler or provider. What was opened with others is not used again: the next use opens it anew.
   * The function returned closes it, once no call runs that began before, and answers an error for each whose closing failed or had not
   * ended after five seconds.
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

  /** Drops a resource that broke, so that the next use opens a new one. */
  async forget<R>(resource: Resource<R>): Promise<void> {
    this.#uses.delete(resource)
    await this.#table.take(resource)?.()
  }

  /**
   * Closes the resources that nothing but this code has used, which no call runs any more. Answers an error for each whose closing failed or
   * had not ended after five seconds.
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
