/** The most of something that may be done in a window of time, over all gateways that share a Redis. */
export interface Cap {
  /** At least 0, which allows none. */
  readonly most: number
  /** A UTC day, or windows of so many whole seconds (1 to 2,678,400), counted from the beginning of 1970. */
  readonly per: 'day' | number
  /**
   * Whose use is counted, default `account`; `gateway` is the use of all callers together. A `key` counts together with
   * the keys that spend on its cap (`credit_limit`). The parent of a key without such a cap is unknown, so each such
   * key has its own count, and a caller can create many.
   */
  readonly of?: 'key' | 'account' | 'gateway'
  /** What else the count is specific to, such as a number or a domain, in one normal form. Stored as a keyed digest. */
  readonly subject?: string
  /** The plugin's setting that `most` comes from, as refusals name it: its name, or a whole path with dots. */
  readonly setting?: string
}

/** The state of a cap. */
export interface CapState {
  readonly most: number
  readonly left: number
  /** When the count starts again, ISO 8601. */
  readonly resets_at: string
}

/** An amount taken from a cap. */
export interface CapTaken extends CapState {
  /** Returns the amount because the work was not done: once, within the same window. Never rejects for Redis. */
  giveBack(): Promise<void>
}

/**
 * Counts that replicas share. `name` says what is counted, in small letters and underscores (`text_messages`); it is
 * specific to the plugin. While Redis does not answer, each gateway allows its share of a cap, never more than its own
 * count leaves; without Redis, counts are local to the gateway and end with it.
 */
export interface Caps {
  /**
   * Takes `amount`, default 1. If less is left, takes nothing and throws a `busy` Fault with what is left, the setting
   * and the time when the count starts again: callers get 429 with that time as `Retry-After`, and it does not count
   * against a provider. Throws TypeError for an invalid cap.
   */
  take(name: string, cap: Cap, amount?: number): Promise<CapTaken>
  /** Returns what is left without taking any. */
  left(name: string, cap: Cap): Promise<CapState>
}
