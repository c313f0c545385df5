import { ResourceTable, type Resource, type ResourceHost } from '../sdk/index.js'

/** A host for one resource, and what must be cleaned up after it. */
export type HostOf = (id: string, settings: Readonly<Record<string, unknown>>) => { host: ResourceHost; cleanUp: () => Promise<void> }

/** Long-lived things of plugins (a browser): opened when first used, one of each, closed on reload and stop. */
export class Resources {
  readonly #table = new ResourceTable()
  readonly #hostOf: HostOf
  #closed = false

  constructor(hostOf: HostOf) {
    this.#hostOf = hostOf
  }

  /** The resource, opening it if this is its first use. A failed opening is tried again by the next use. */
  use<R>(resource: Resource<R>, settings: Readonly<Record<string, unknown>>): Promise<R> {
    if (this.#closed) return Promise.reject(new Error(`resource ${resource.id} is asked for after the stop`))
    const known = this.#table.get(resource)
    if (known !== undefined) return known
    const { host, cleanUp } = this.#hostOf(resource.id, settings)
    const value = opened(resource, host)
    this.#table.set(resource, value, async () => {
      const [settled] = await Promise.allSettled([value])
      if (settled.status === 'fulfilled') await resource.close?.(settled.value)
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
    await this.#table.take(resource)?.()
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.allSettled(this.#table.takeAll().map((close) => close()))
  }
}

/** Opening that rejects also where a plugin's function throws. */
async function opened<R>(resource: Resource<R>, host: ResourceHost): Promise<R> {
  return await resource.open(host)
}
