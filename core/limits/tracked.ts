import { recentlyUsed, type Recent } from '../runtime/recent.js'
import { addressRange } from '../runtime/address-range.js'

/** Ids of each kind that a limit follows at once; beyond, the least recently used of that kind is forgotten. */
const MOST_TRACKED = 100_000
const ADDRESS = 'ip:'

/** The id of an address in a rate limit: an IPv6 network counts as one visitor. */
export function addressId(address: string): string {
  return ADDRESS + addressRange(address)
}

/** What a limit knows of its ids. Addresses are kept apart from keys, because anybody can come from as many as he likes. */
export class TrackedIds<V extends NonNullable<unknown>> {
  readonly #addresses: Recent<V>
  readonly #others: Recent<V>

  /** `forgotten` hears of ids that gave way to newer ones. */
  constructor(forgotten: (id: string) => void = () => undefined) {
    const dispose = (_: V, id: string, reason: string): void => {
      if (reason === 'evict') forgotten(id)
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
