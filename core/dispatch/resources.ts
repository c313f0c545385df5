import { cleanUpAll, type CleanUp } from '../clean-up.js'
import { systemClock, type Clock } from '../clock.js'
import { ResourceTable, type Resource, type ResourceHost } from '../sdk/index.js'
import { closeLate, inTime, opened } from './opening.js'

/** A host for one resource, and what must be cleaned up after it. */
export type HostOf = (id: string, settings: Readonly<Record<string, unknown>>) => { host: ResourceHost; cleanUp: () => Promise<void> }

/** Long-lived things of plugins (a browser): opened when first used, one of each, closed on reload and stop. */
export class Resources {
  readonly #table = new ResourceTable()
  /** By resource: what uses it, and how it is dropped. */
  readonly #uses = new Map<object, { readonly users: Set<object>; readonly drop: CleanUp }>()
  readonly #hostOf: HostOf
  readonly #clock: Clock
  #closed = false

  constructor(hostOf: HostOf, clock: Clock = systemClock) {
    this.#hostOf = hostOf
    this.#clock = clock
  }

  /**
   * The resource, opening it if this is its first use. An opening that failed, or has not ended after 30 seconds (a Fault `busy`), is tried
   * again by the next use. `user` is the handler or provider that uses it; without one it stays until the stop.
   */
  use<R>(resource: Resource<R>, settings: Readonly<Record<string, unknown>>, user: object = resource): Promise<R> {
    if (this.#closed) return Promise.reject(new Error(`resource ${resource.id} is asked for after the stop`))
    const known = this.#table.get(resource)
    this.#note(resource, user)
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
    await Promise.allSettled(this.#table.takeAll().map((close) => close()))
  }

  #note<R>(resource: Resource<R>, user: object): void {
    const uses = this.#uses.get(resource) ?? { users: new Set(), drop: [`closing resource ${resource.id}`, () => this.forget(resource)] }
    uses.users.add(user)
    this.#uses.set(resource, uses)
  }
}
