import type { Static, TSchema } from './schema.js'

/** How a value is cached. Calls that share a key must pass the same options. */
export interface CacheOptions<S extends TSchema> {
  /** The shape of values, checked when one is loaded or comes from Redis. Create it once, outside the call. */
  readonly shape: S
  /** How long a value is fresh, at most 2,678,400 (31 days). */
  readonly seconds: number
  /** How long after that a stale value is still returned while a new one is loaded in the background; default 0. */
  readonly staleSeconds?: number
  /**
   * How long a load that ended in a conclusive `missing` Fault is cached; default 0, not at all. Other failures are
   * never cached, nor is a `missing` that is `inconclusive` or `unavailable`.
   */
  readonly missingSeconds?: number
  /** `account`: each account has its own values, for data that other accounts must not see. Default `all`. */
  readonly per?: 'all' | 'account'
}

/** Values shared by calls, and by gateways that share a Redis. Each plugin has its own namespace. */
export interface Cache<Context> {
  /**
   * The value of a key: a text, or a list of texts and numbers of at most 16,384 characters, which must include
   * everything that the value depends on. A missing value is loaded once for all calls that request it meanwhile, with
   * a context of the load: the load continues when the call that began it ends, as long as another call waits, and is
   * cancelled when none does. Each call gets its own copy.
   *
   * Values are JSON of at most 256 KiB; a larger one is returned to the waiting calls and not cached. A rejection of
   * the load goes to all waiting calls, unless it is about the account or time of the first one: then the next one
   * loads. Throws TypeError for invalid options, for a value that does not fit its shape, and for a load that requests
   * its own key.
   */
  get<S extends TSchema>(
    key: string | readonly (string | number)[],
    options: CacheOptions<S>,
    load: (context: Context) => Promise<Static<S>>,
  ): Promise<Static<S>>
}
