import type { Static, TSchema } from './schema.js'

/** How a value is kept. Calls that share a key must say the same. */
export interface CacheOptions<S extends TSchema> {
  /** What values look like: checked when one is loaded, and when it comes from Redis. Made once, outside the call. */
  readonly shape: S
  /** How long a value is good, up to 2,678,400 (31 days). */
  readonly seconds: number
  /** So long after that it is still given, while a new one is loaded behind the call; default 0. */
  readonly staleSeconds?: number
  /**
   * How long it is kept that the load ended in a `missing` Fault of somebody who looked; default 0, not at all. No other failure is kept, nor one that is
   * `inconclusive` or `unavailable`.
   */
  readonly missingSeconds?: number
  /** `account`: each account has values of its own, for what others must not see. Default `all`. */
  readonly per?: 'all' | 'account'
}

/** Values that calls share, with those of other gateways where they share a Redis. Each plugin has its own. */
export interface Cache<Context> {
  /**
   * The value under a key, a text or a list of texts and numbers of at most 16,384 characters, which must hold all that the value depends on.
   * Where there is none it is loaded, once for all calls that ask meanwhile, with a context that ends with the load: it goes on when the call that
   * began it ends, as long as another one waits, and is cancelled when none does. Each call gets a copy of its own.
   *
   * Values are JSON of at most 256 KiB; a larger one is given to those who wait and not kept. What the load rejects with goes to all who wait,
   * unless it is about the first one's own account or time: then the next loads. Throws TypeError for options that mean nothing, for a value
   * that does not fit its shape, and for a load that asks for its own key.
   */
  get<S extends TSchema>(
    key: string | readonly (string | number)[],
    options: CacheOptions<S>,
    load: (context: Context) => Promise<Static<S>>,
  ): Promise<Static<S>>
}
