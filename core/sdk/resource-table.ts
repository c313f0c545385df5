import type { Resource } from './services.js'

interface OpenResource {
  readonly value: Promise<unknown>
  readonly close: () => Promise<void>
}

/** Open resources by their definition, which determines the type of the value; no map type can express that. */
export class ResourceTable {
  readonly #entries = new Map<object, OpenResource>()

  get<R>(resource: Resource<R>): Promise<R> | undefined {
    return this.#entries.get(resource)?.value as Promise<R> | undefined
  }

  set<R>(resource: Resource<R>, value: Promise<R>, close: () => Promise<void>): void {
    this.#entries.set(resource, { value, close })
  }

  /** Removes an entry and returns the function that closes it. */
  take<R>(resource: Resource<R>): (() => Promise<void>) | undefined {
    const entry = this.#entries.get(resource)
    this.#entries.delete(resource)
    return entry?.close
  }

  takeAll(): (() => Promise<void>)[] {
    const closers = [...this.#entries.values()].map((entry) => entry.close)
    this.#entries.clear()
    return closers
  }
}
