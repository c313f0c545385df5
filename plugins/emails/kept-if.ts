import type { Cache, CacheOptions, Static, TSchema } from '../../core/sdk/index.js'

/** How long an uncached answer is available to concurrent callers; it then names its vendor. */
const MOMENT_S = 1

/** Ends a load whose answer must not be cached. */
class NotKept extends Error {
  constructor() {
    super('an answer that is not kept')
  }
}

interface Caching<C> {
  readonly cache: Cache<C>
}

/**
 * An answer that is cached under this key when `keep` says so. `load` must cache it by itself for a moment, because
 * it runs again when it is not.
 */
export async function keptIf<C extends Caching<C>, S extends TSchema>(
  context: C,
  { key, ...options }: CacheOptions<S> & { readonly key: readonly string[]; readonly keep: (answer: Static<S>) => boolean },
  load: (context: C) => Promise<Static<S>>,
): Promise<Static<S>> {
  const { keep, ...caching } = options
  try {
    return await context.cache.get(key, caching, async (own) => {
      const answer = await load(own)
      if (!keep(answer)) throw new NotKept()
      return answer
    })
  } catch (error) {
    if (!(error instanceof NotKept)) throw error
    return await load(context)
  }
}

/** Loads an answer once for all concurrent callers, without caching it longer. */
export function loadedOnce<C extends Caching<C>, S extends TSchema>(
  context: C,
  { key, shape }: { readonly key: readonly string[]; readonly shape: S },
  load: (context: C) => Promise<Static<S>>,
): Promise<Static<S>> {
  return context.cache.get(['moment', ...key], { shape, seconds: MOMENT_S }, load)
}
