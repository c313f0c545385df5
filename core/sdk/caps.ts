/** How much of something may be done in a time, over all gateways that share a Redis. */
export interface Cap {
  /** How many, from 0, which allows none. */
  readonly most: number
  /** A day of UTC, or windows of so many whole seconds (1 to 2,678,400), counted from the beginning of 1970. */
  readonly per: 'day' | number
  /**
   * Whose count it is, default `account`; `gateway` is everybody's together. A `key` counts as one with the keys that spend on its cap (`credit_limit`).
   * Who made a key without such a cap is not known, so each of them has a count of its own, and a caller may make many.
   */
  readonly of?: 'key' | 'account' | 'gateway'
  /** What else the count is for, such as a number, a prefix or a domain, in one form for each. It is kept as a keyed digest. */
  readonly subject?: string
  /** The setting of the plugin that `most` comes from, as refusals name it: its name, or a whole path with dots. */
  readonly setting?: string
}

/** How a cap stands. */
export interface CapState {
  readonly most: number
  readonly left: number
  /** When the count begins anew, ISO 8601. */
  readonly resets_at: string
}

/** What was taken of a cap. */
export interface CapTaken extends CapState {
  /** Gives it back because the work was not done, once, and only within the window it was taken in. Resolves also when Redis did not hear of it. */
  giveBack(): Promise<void>
}

/**
 * Counts that replicas share. `name` says what is counted, in small letters and underscores (`text_messages`), for this plugin alone. While Redis
 * does not answer each gateway gives out its share of a cap, never more than it knows to be left; without Redis counts are the gateway's own and
 * end with it.
 */
export interface Caps {
  /**
   * Takes one, or `amount`; nothing when that is more than is left. Throws then a `busy` Fault that says what is left, which setting it is and when it
   * begins anew: callers see 429 with that time as `Retry-After`, and nothing is held against a provider. Throws TypeError for a cap that means nothing.
   */
  take(name: string, cap: Cap, amount?: number): Promise<CapTaken>
  /** What is left, without taking any. */
  left(name: string, cap: Cap): Promise<CapState>
}
