/** Upper bounds for a key's fields, for the API and the command line. */
export const KEY_LIMITS = {
  /** Characters of its label. */
  name: 100,
  /** Requests a minute. */
  rate: 100_000,
  /** Days until it expires. */
  days: 36_500,
  /** Seconds that it stays valid beside its replacement. */
  overlap: 2_592_000,
} as const
