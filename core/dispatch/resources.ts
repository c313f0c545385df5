import { systemClock, type Clock } from '../clock.js'
import { Fault, ResourceTable, type Resource, type ResourceHost } from '../sdk/index.js'

/** A host for one resource, and what must be cleaned up after it. */
export type HostOf = (id: string, settings: Readonly<Record<string, unknown>>) => { host: ResourceHost; cleanUp: () => Promise<void> }

/** Most milliseconds that opening a resource may take. */
const OPENING_MS = 30_000

/** Long-lived things of plugins (a browser): opened when first used, one of each, closed on reload and stop. */
export class Resources {
  readonly #table = new ResourceTable()
  readonly #hostOf: HostOf
  readonly #clock: Clock
  #closed = false

  constructor(hostOf: HostOf, clock: Clock = systemClock) {
    this.#hostOf = hostOf
    this.#clock = clock
  }

  /**
   * The resource, opening it if this is its first use. An opening that failed, or has not ended after 30 seconds (a Fault `busy`), is tried
   * again by the next use.
   */
  use<R>(resource: Resource<R>, settings: Readonly<Record<string, unknown>>): Promise<R> {
    if (this.#closed) return Promise.reject(new Error(`resource ${resource.id} is asked for after the stop`))
    const known = this.#table.get(resource)
    if (known !== undefined) return known
    const { host, cleanUp } = this.#hostOf(resource.id, settings)
    const opening = opened(resource, host)
    const value = this.#inTime(resource, opening)
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
    await this.#table.take(resource)?.()
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.allSettled(this.#table.takeAll().map((close) => close()))
  }

  async #inTime<R>(resource: Resource<R>, opening: Promise<R>): Promise<R> {
    let stop = (): void => undefined
    const late = new Promise<never>((_resolve, reject) => {
      const internal = `resource ${resource.id} has not opened within ${OPENING_MS} ms`
      stop = this.#clock.after(OPENING_MS, () => reject(new Fault('busy', 'A part of the provider did not start in time.', { internal })))
    })
    try {
      return await Promise.race([opening, late])
    } finally {
      stop()
    }
  }
}

/** Opening that rejects also where a plugin's function throws. */
async function opened<R>(resource: Resource<R>, host: ResourceHost): Promise<R> {
  return await resource.open(host)
}

/** Closes what opens after it was given up; a failure is logged. */
async function closeLate<R>(
  resource: Resource<R>,
  { opening, host, cleanUp }: { opening: Promise<R>; host: ResourceHost; cleanUp: () => Promise<void> },
): Promise<void> {
  const [opened] = await Promise.allSettled([opening])
  if (opened.status === 'rejected') return
  try {
    await resource.close?.(opened.value)
    await cleanUp()
  } catch (error) {
    host.log('what opened too late could not be closed', { error: String(error) })
  }
}
