import { EntryCache, MemoryEntries } from '../dispatch/cached/cache.js'
import { RedisEntries } from '../dispatch/cached/redis.js'
import type { Opened } from './opened.js'
import type { Environment } from '../dispatch/environment.js'
import { MemoryCaps } from '../limits/caps.js'
import { RedisCaps } from '../limits/redis-caps.js'
import { SharedNames } from '../runtime/id.js'

/** The cache and caps that calls share, across all replicas if there is a Redis. `replicas`: how many run. */
export function sharedValues(
  { config, clock, redis, linkSecret }: Pick<Opened, 'config' | 'clock' | 'redis' | 'linkSecret'>,
  { replicas, probes }: Pick<Environment, 'probes'> & { readonly replicas: () => number },
): Pick<Environment, 'names' | 'cache' | 'caps'> {
  return {
    names: new SharedNames(linkSecret),
    cache: new EntryCache({
      clock,
      memory: new MemoryEntries(clock, config.settings.limits.cache),
      shared: redis === null ? null : new RedisEntries(redis),
      background: (cancel, work) => probes.add(cancel, work),
    }),
    caps: redis === null ? new MemoryCaps(clock) : new RedisCaps({ link: redis, clock, replicas }),
  }
}
