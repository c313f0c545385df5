import { recentlyUsed, type Recent } from '../runtime/recent.js'
import { addressRange } from '../runtime/address-range.js'

/** Ids of each kind that a limit tracks; beyond, the least recently used one of that kind is dropped. */
const MOST_TRACKED = 100_000
const ADDRESS = 'ip:'

/** The id of an address in a rate limit: an IPv6 network counts as one address. */
export function addressId(address: string): string {
  return ADDRESS + addressRange(address)
}

/** Values by id of a limit. Addresses are kept apart from keys, because a client may use any number of addresses. */
export class TrackedIds<V extends NonNullable<unknown>> {
  readonly #addresses: Recent<V>
  readonly #others: Recent<V>

  /** `onEvicted` is called with ids that newer ones displaced. */
  constructor(onEvicted: (id: string) => void = () => undefined) {
    const dispose = (_: V, id: string, reason: string): void => {
      if (reason === 'evict') onEvicted(id)
    }
    this.#addresses = recentlyUsed(MOST_TRACKED, { dispose })
    this.#others = recentlyUsed(MOST_TRACKED, { dispose })
  }

  get(id: string): V | undefined {
    return this.#of(id).get(id)
  }

  set(id: string, value: V): void {
    this.#of(id).set(id, value)
  }

  #of(id: string): Recent<V> {
    return id.startsWith(ADDRESS) ? this.#addresses : this.#others
  }
}
