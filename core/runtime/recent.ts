import { LRUCache } from 'lru-cache'

export type Recent<V extends NonNullable<unknown>> = LRUCache<string, V>

/**
 * A map of at most `max` entries that evicts the least recently used one. It grows with its entries: with `max` alone the library
 * allocates memory for all of them at once, 4 MiB for each map of 100,000.
 */
export function recentlyUsed<V extends NonNullable<unknown>>(
  most: number,
  options: Pick<LRUCache.Options<string, V, unknown>, 'ttl' | 'perf' | 'dispose'> = {},
): Recent<V> {
  return new LRUCache({ ...options, maxSize: most, sizeCalculation: () => 1 })
}
